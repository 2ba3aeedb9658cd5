/**
 * The first minutes of a person who has nothing set up, step by step, at a real terminal.
 */
import assert from "node:assert/strict";
import { startModelServer } from "../../support/model_server.ts";
import { shop } from "../../support/shop.ts";
import { textStream } from "../../support/text_stream.ts";
import { Terminal } from "../../support/tmux.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

const ignore = Deno.build.os === "windows"; // it has no tmux

function answers(sql: string) {
  return startModelServer([
    { stream: { text: toolCallStream("execute_sql", { query: sql }) } },
    { stream: { text: textStream("There are **1,000** of them.") } },
  ]);
}

Deno.test({ name: "from nothing to an answer about one's own CSV", ignore }, async () => {
  await using models = answers("SELECT count(*) AS n FROM customers");
  const env = { OPENAI_BASE_URL: models.baseUrl, OPENAI_API_KEY: "key" };
  await using terminal = await Terminal.open({ rows: 40, env });
  const file = `${terminal.folder}/customers.csv`;
  await Deno.copyFile(`${await shop("csv")}/customers.csv`, file);
  await terminal.saber("");
  await terminal.until(/Welcome to saber[\s\S]*Data \(Enter to skip\):$/);
  await terminal.type(`${terminal.folder}/nothing.csv`);
  await terminal.key("Enter");
  await terminal.until(/Check the path[\s\S]*Data \(Enter to skip\):$/);
  await terminal.type(file);
  await terminal.key("Enter");
  await terminal.until(/Saved as "customers", the default\.[\s\S]*Model \(provider:id, Enter to skip\):$/);
  await terminal.type("openai:test");
  await terminal.key("Enter");
  await terminal.until(/customers \(DuckDB\) · openai:test[\s\S]*\n❯$/);
  await terminal.type("How many customers are there?");
  await terminal.key("Enter");
  const screen = await terminal.until(/There are 1,000 of them\.[\s\S]*\n❯$/);
  assert.match(screen, /▌ SELECT count\(\*\) AS n FROM customers\n {4}n\n──────\n 1000\n1 row/);
  await terminal.key("C-d");
  // The next time it is all there.
  await terminal.until(/\n\$$/);
  await terminal.saber('sql "SELECT count(*) AS again FROM customers"');
  await terminal.until(/again\n───────\n {2}1000/);
  await terminal.saber("");
  await terminal.until(/^customers \(DuckDB\) · openai:test[\s\S]*\n❯$/);
});

Deno.test({ name: "the sample shop answers, and both steps can be skipped", ignore }, async () => {
  await using terminal = await Terminal.open({ rows: 40 });
  await terminal.saber('; echo "ended with $?"');
  await terminal.until(/Data \(Enter to skip\):$/);
  await terminal.key("Enter");
  await terminal.until(
    /Nothing was set up\. 'saber db add NAME FILE' does it later\. Or name[\s\S]*with -d\.\nended with 1/,
  );
  await terminal.saber('; echo "ended with $?"');
  await terminal.until(/Data \(Enter to skip\):$/);
  await terminal.type("sample");
  await terminal.key("Enter");
  await terminal.until(/Model \(provider:id, Enter to skip\):$/);
  await terminal.key("Enter");
  await terminal.until(/'saber sql' works without one\.\nended with 1/);
  await terminal.saber('sql "SELECT count(*) AS n FROM orders"');
  await terminal.until(/ 1200\n1 row/);
});
