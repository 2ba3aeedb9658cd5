/**
 * The interactive session at a real terminal: typing, completion, steering, stopping, commands, and going on later.
 */
import assert from "node:assert/strict";
import { type Stage, stage } from "../../support/ask_stage.ts";
import { textStream } from "../../support/text_stream.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

const ignore = Deno.build.os === "windows"; // it has no tmux
const ENDLESS = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t";
const text = (words: string) => ({ stream: { text: textStream(words) } });
const query = (sql: string) => ({ stream: { text: toolCallStream("execute_sql", { query: sql }) } });

async function say({ terminal }: Stage, line: string): Promise<void> {
  await terminal.type(line);
  await terminal.key("Enter");
}

Deno.test({ name: "questions, commands, and leaving", ignore }, async () => {
  await using at = await stage([text("First **answer**."), text("Second answer.")]);
  await at.ask('; echo "ended with $?"');
  await at.terminal.until(/shop \(SQLite\) · openai:test[\s\S]*\n❯$/);
  await say(at, "One?");
  await at.terminal.until(/❯ One\?\n\nFirst answer\.\n\n1 request · [\s\S]*\n❯$/);
  await say(at, "/thinking high");
  await at.terminal.until(/Thinking: high\./);
  await say(at, "/model openai:other");
  await at.terminal.until(/The model is openai:other\./);
  await say(at, "/model nonsense");
  await at.terminal.until(/✗ Cannot use the model "nonsense"/);
  await say(at, "/nothing");
  await at.terminal.until(/There is no command \/nothing/);
  await say(at, "/tables order");
  await at.terminal.until(/ order_items +│ table │ shop/);
  await say(at, "Two?");
  await at.terminal.until(/Second answer\.[\s\S]*\n❯$/);
  await at.terminal.key("C-d");
  assert.match(
    await at.terminal.until(/ended with \d/),
    /To go on: saber --thread \S{36}[\s\S]*ended with 0/,
  );
  await at.terminal.type("echo seen again");
  await at.terminal.until(/^\$ echo seen again$/m);
});

Deno.test({ name: "tables, columns and commands are completed", ignore }, async () => {
  await using at = await stage([]);
  await at.ask("");
  await at.terminal.until(/❯$/);
  await at.terminal.type("of @cust");
  await at.terminal.until(/❯ of @cust\n {2}customers/);
  await at.terminal.key("Tab");
  await at.terminal.type(".cre");
  await at.terminal.until(/❯ of @customers\.cre\n {2}credit_limit\n {2}created_at/);
  await at.terminal.key("Tab");
  await at.terminal.key("Tab");
  await at.terminal.until(/❯ of @customers\.created_at\n {2}credit_limit\n▸ created_at/);
  await at.terminal.key("C-u");
  await at.terminal.type("/th");
  await at.terminal.until(/❯ \/th\n {2}\/thinking/);
});

Deno.test(
  { name: "text of several lines, pasted, wide and far too long, and what was typed before", ignore },
  async () => {
    await using at = await stage([text("ok"), text("ok")], { columns: 40 });
    await at.ask("");
    await at.terminal.until(/❯$/);
    await at.terminal.paste("first\nsecond 東京 👩‍👩‍👧");
    await at.terminal.until(/❯ first\n {2}second 東京/);
    await at.terminal.key("C-u");
    await at.terminal.type(`${"x".repeat(60)} end\\`);
    await at.terminal.key("Enter");
    await at.terminal.type("third");
    await at.terminal.until(/❯ first\n {2}x{37}\n {2}x{23} end\n {2}third/);
    await at.terminal.key("Up");
    await at.terminal.key("End");
    await at.terminal.type("!");
    await at.terminal.until(/x{23} end!\n {2}third/);
    await at.terminal.key("Enter");
    await at.terminal.until(/1 request[\s\S]*\n❯$/);
    await at.terminal.key("Up");
    await at.terminal.until(/\n❯ first\n {2}x{37}\n {2}x{23} end!\n {2}third$/);
  },
);

Deno.test({ name: "a run is steered, and stopped", ignore }, async () => {
  await using at = await stage([query(ENDLESS), text("never")]);
  await at.ask("");
  await at.terminal.until(/❯$/);
  await say(at, "How many?");
  await at.terminal.until(/running 1\.\d s\n…$/);
  await say(at, "only in Europe");
  await at.terminal.until(/Will be told: only in Europe/);
  await at.terminal.key("C-c");
  await at.terminal.until(/Stopped\.\n\n❯$/);
  await at.terminal.key("C-c");
  await at.terminal.until(/Ctrl\+C again, or Ctrl\+D, leaves\.\n❯$/);
  await at.terminal.key("C-c");
  await at.terminal.until(/\n\$$/);
});

Deno.test({ name: "what is typed while the model writes reaches it", ignore }, async () => {
  const slow = { ...query("SELECT count(*) AS n FROM customers"), paceMs: 600 };
  await using at = await stage([slow, text("Steered answer.")]);
  await at.ask("");
  await at.terminal.until(/❯$/);
  await say(at, "How many?");
  await at.terminal.until(/thinking|writing/);
  await say(at, "only in Europe");
  await at.terminal.until(/Steered answer\.[\s\S]*\n❯$/);
  const [, second] = at.models.asked;
  assert.match(JSON.stringify(second?.body), /only in Europe/);
});

Deno.test(
  { name: "rows beyond the first, a file of the conversation, another database", ignore },
  async () => {
    await using at = await stage([query("SELECT id FROM customers ORDER BY id LIMIT 60"), text("Done.")]);
    await at.ask("");
    await at.terminal.until(/❯$/);
    await say(at, "List them");
    await at.terminal.until(/60 rows, of which the first 20 are shown[\s\S]*Done\.[\s\S]*\n❯$/);
    await say(at, "/rows 55");
    await at.terminal.until(/\n 60\nrows 55 to 60 of 60/);
    const file = `${at.terminal.folder}/talk.md`;
    await say(at, `/export md ${file}`);
    await at.terminal.until(/Wrote /);
    assert.match(await Deno.readTextFile(file), /^# List them\n[\s\S]*60 rows\.\n[\s\S]*Done\.\n$/);
    await say(at, "/db :none:");
    await at.terminal.until(/✗ Cannot find the database/);
    await say(at, "/db duckdb://");
    await at.terminal.until(/database \(DuckDB\) · openai:test/);
  },
);

Deno.test({ name: "a handoff is drafted, changed and sent as a new conversation", ignore }, async () => {
  await using at = await stage([text("An answer."), text("Draft of the model"), text("New answer.")]);
  await at.ask("");
  await at.terminal.until(/❯$/);
  await say(at, "One?");
  await at.terminal.until(/An answer\.[\s\S]*\n❯$/);
  await say(at, "/handoff go further");
  await at.terminal.until(/\n❯ Draft of the model$/);
  await say(at, " and more");
  await at.terminal.until(/New answer\.[\s\S]*\n❯$/);
  const [, draft, last] = at.models.asked.map(({ body }) => JSON.stringify(body));
  assert.match(draft ?? "", /go further[\s\S]*An answer\./);
  assert.match(last ?? "", /Draft of the model and more/);
  assert.doesNotMatch(last ?? "", /One\?/);
});

Deno.test({ name: "the latest conversation goes on, its transcript shown", ignore }, async () => {
  await using at = await stage([query("SELECT 42 AS n"), text("First answer."), text("Second answer.")]);
  await at.ask('"One?"; echo "ended with $?"');
  await at.terminal.until(/ended with 0/);
  await at.ask("--continue");
  const screen = await at.terminal.until(/\n❯$/);
  assert.match(
    screen,
    /❯ One\?\n\n▌ SELECT 42 AS n\n {2}n\n────\n 42\n1 row\n\nFirst answer\.\n\nshop \(SQLite\)/,
  );
  await say(at, "Two?");
  await at.terminal.until(/Second answer\./);
  assert.match(JSON.stringify(at.models.asked[2]?.body), /First answer\./);
});
