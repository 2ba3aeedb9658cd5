/**
 * A question at a real terminal: what is seen while the answer is written, in windows of all sizes, and how it is stopped.
 */
import assert from "node:assert/strict";
import { stage } from "../../support/ask_stage.ts";
import type { Play } from "../../support/model_server.ts";
import { repository } from "../../support/sources.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";
import { widthOf } from "../../../src/term/width.ts";

const ignore = Deno.build.os === "windows"; // it has no tmux
const CUSTOMERS = ["1", "2", "3"].map((n) => `openai/top_customers_${n}.sse`);
const ENDLESS = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t";
const QUESTION = '"Who are our best customers?"; echo "ended with $?"';

Deno.test({ name: "the answer is seen while it is written, and stays as a whole", ignore }, async () => {
  await using at = await stage(CUSTOMERS.map((stream) => ({ stream, paceMs: 15 })));
  await at.ask(QUESTION);
  await at.terminal.until(/▌ SELECT c\.name[\s\S]*writing SQL \d/);
  await at.terminal.until(/By revenue[\s\S]*writing \d/);
  const screen = await at.terminal.until(/ended with 0/);
  assert.match(screen, /shop \(SQLite\) · openai:test/);
  assert.match(screen, / Jones & Sons +│ Switzerland +│ +293801\.05\n/);
  assert.match(screen, /5 rows · \d/);
  assert.match(screen, /1\. Jones & Sons \(Switzerland\) – 293,801\.05/);
  assert.match(screen, /3 requests · 3,066 tokens in · 235 out · /);
  assert.match(screen, /To go on: saber --thread [\da-f-]{36} with the same -d/);
  assert.doesNotMatch(screen, /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]|\*\*/);
  assert.equal(screen.match(/By revenue/g)?.length, 1);
});

for (const columns of [20, 200]) {
  Deno.test({ name: `it fits a window of ${columns} columns`, ignore }, async () => {
    await using at = await stage(CUSTOMERS.map((stream) => ({ stream, paceMs: 2 })), { columns, rows: 90 });
    await at.ask(QUESTION);
    const screen = await at.terminal.until(/ended with 0/);
    for (const line of screen.split("\n")) assert.ok(widthOf(line) <= columns);
    assert.match(screen.replaceAll(/\s+/g, " "), /the top five customers are:/);
    assert.match(screen, /293801\.05/);
  });
}

Deno.test({ name: "a window that changes its size while the answer is written", ignore }, async () => {
  await using at = await stage(CUSTOMERS.map((stream) => ({ stream, paceMs: 15 })));
  await at.ask(QUESTION);
  await at.terminal.until(/writing SQL/);
  await at.terminal.resize(46, 50);
  await at.terminal.until(/By revenue/);
  await at.terminal.resize(100, 50);
  const screen = await at.terminal.until(/ended with 0/);
  assert.match(screen.replaceAll(/\s+/g, " "), /5\. Nguyen AG \(United Kingdom\)/);
  assert.match(screen, /3 requests/);
});

const PHASES: { readonly [name: string]: { plays: readonly Play[]; seen: RegExp } } = {
  "waits for the model": { plays: [{ stream: "openai/text.sse", stallAt: 0 }], seen: /thinking 1\.\d s/ },
  "reads the answer": { plays: [{ stream: "openai/text.sse", paceMs: 5, stallAt: 900 }], seen: /Es gibt 63/ },
  "sees SQL being written": {
    plays: [{ stream: CUSTOMERS[0] ?? "" }, { stream: CUSTOMERS[1] ?? "", paceMs: 5, stallAt: 9000 }],
    seen: /▌ SELECT/,
  },
  "waits for the database": {
    plays: [{ stream: { text: toolCallStream("execute_sql", { query: ENDLESS }) } }],
    seen: /running 1\.\d s/,
  },
};

for (const [phase, { plays, seen }] of Object.entries(PHASES)) {
  Deno.test({ name: `Ctrl+C while the person ${phase}`, ignore }, async () => {
    await using at = await stage(plays);
    await at.ask(QUESTION);
    await at.terminal.until(seen);
    await at.terminal.key("C-c");
    assert.match(await at.terminal.until(/ended with \d/), /Stopped\.\n\n?ended with 130/);
  });
}

Deno.test({ name: "without colours, and where nothing can be saved", ignore }, async () => {
  const file = new URL("deno.json", repository).pathname; // where a folder would have to be
  const env = { NO_COLOR: "1", XDG_DATA_HOME: file };
  await using at = await stage(CUSTOMERS.map((stream) => ({ stream })), { env });
  await at.ask(QUESTION);
  const screen = await at.terminal.until(/ended with 0/);
  assert.match(screen, /saber: the conversation could not be saved/);
  assert.match(screen, /1\. Jones & Sons/);
  assert.ok(!(await at.terminal.screen({ colors: true })).includes("\x1b["));
});

Deno.test({ name: "a failed run is told once, and leaves nothing half drawn", ignore }, async () => {
  await using at = await stage([{ status: 401, body: "" }]);
  await at.ask(QUESTION);
  const screen = await at.terminal.until(/ended with 1/);
  assert.equal(screen.match(/Cannot /g)?.length, 1, screen);
  assert.match(screen, /✗ Cannot /);
  assert.doesNotMatch(screen, /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
});

Deno.test({ name: "without a home in the environment", ignore }, async () => {
  await using at = await stage([{ stream: "openai/text.sse" }], { env: { HOME: "" } });
  await at.ask(`--no-thread ${QUESTION}`);
  assert.match(await at.terminal.until(/ended with \d/), /Es gibt 63[\s\S]*ended with 0/);
});

Deno.test({ name: "a reader that leaves early ends the run", ignore }, async () => {
  await using at = await stage(CUSTOMERS.map((stream) => ({ stream, paceMs: 2 })));
  await at.ask('"Who?" | head -1; echo ready');
  assert.match(await at.terminal.until(/^ready$/m), /^I'll look at the tables first\.\n/m);
});

Deno.test({ name: "two sessions at once keep both conversations", ignore }, async () => {
  await using one = await stage(CUSTOMERS.map((stream) => ({ stream, paceMs: 3 })));
  const home = `${one.terminal.folder}/home`;
  await using two = await stage(CUSTOMERS.map((stream) => ({ stream, paceMs: 3 })), { env: { HOME: home } });
  await Promise.all([one.ask(QUESTION), two.ask(QUESTION)]);
  const screens = await Promise.all([one, two].map(({ terminal }) => terminal.until(/ended with 0/)));
  const threads = screens.map((screen) => /--thread ([\da-f-]+)/.exec(screen)?.[1]);
  assert.equal(new Set(threads).size, 2);
  assert.ok(threads.every((id) => id?.length === 36), String(threads));
});
