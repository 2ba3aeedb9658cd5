/**
 * `saber sql` at a real terminal: tables that fit the window, questions, Ctrl+C, and readers that leave early.
 */
import assert from "node:assert/strict";
import { shop } from "../../support/shop.ts";
import { Terminal } from "../../support/tmux.ts";
import { widthOf } from "../../../src/term/width.ts";

const WIDE = `SELECT 7 AS n, NULL AS absent, '東京 👩‍👩‍👧 ok' AS wide, 'a' || char(27) || '[31mb' AS esc,
  'one long text that no narrow window can show in full' AS long`;
const ENDLESS = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t";
const ignore = Deno.build.os === "windows"; // it has no tmux

for (const columns of [20, 44, 200]) {
  Deno.test({ name: `a table fits a window of ${columns} columns`, ignore }, async () => {
    await using terminal = await Terminal.open({ columns, rows: 30 });
    await terminal.saber(`sql -d ${await shop("sqlite")} "${WIDE}"`);
    const screen = await terminal.until(/1 row · \d/);
    const shown = screen.slice(0, screen.indexOf("1 row")).trimEnd().split("\n");
    assert.match(screen, /NULL/);
    assert.match(screen, /a␛\[31mb|a␛/);
    assert.equal(screen.includes("show in full"), columns === 200);
    assert.equal(screen.includes("…"), columns !== 200);
    for (const line of shown) assert.ok(widthOf(line) <= columns, `too wide: ${line}`);
    const isTable = shown.some((line) => line.includes("┼"));
    assert.equal(isTable, columns > 20, screen);
  });
}

Deno.test({ name: "colours at a terminal, none with NO_COLOR", ignore }, async () => {
  for (const [env, isColored] of [[{}, true], [{ NO_COLOR: "1" }, false]] as const) {
    await using terminal = await Terminal.open({ env });
    await terminal.saber(`sql -d ${await shop("sqlite")} "SELECT 1 AS a, NULL AS b"`);
    await terminal.until(/1 row/);
    assert.equal((await terminal.screen({ colors: true })).includes("\x1b["), isColored);
  }
});

Deno.test({ name: "Ctrl+C stops the statement, and the shell goes on", ignore }, async () => {
  await using terminal = await Terminal.open();
  await terminal.saber(`sql -d ${await shop("sqlite")} "${ENDLESS}"; echo "ended with $?"`);
  await terminal.until(/running 1\.\d s/);
  await terminal.key("C-c");
  assert.match(await terminal.until(/ended with \d+$/m), /Stopped\.\nended with 130/);
});

Deno.test({ name: "a reader that leaves early is no failure", ignore }, async () => {
  await using terminal = await Terminal.open();
  const query = "SELECT a.id FROM customers a, customers b ORDER BY a.id LIMIT 900000";
  await terminal.saber(`sql --output csv -d ${await shop("sqlite")} "${query}" | head -2; echo ready`);
  const screen = await terminal.until(/^ready$/m);
  assert.match(screen, /^id\n1\nready$/m);
});

Deno.test({ name: "a statement that changes data is asked about first", ignore }, async () => {
  await using terminal = await Terminal.open();
  const file = `${terminal.folder}/new.sqlite`;
  await Deno.copyFile(await shop("sqlite"), file);
  const args = `sql -d ${file} --allow-dangerous "CREATE TABLE made (a INTEGER)"; echo "ended with $?"`;
  await terminal.saber(args);
  await terminal.until(/Type yes to run it/);
  await terminal.type("no");
  await terminal.key("Enter");
  assert.match(await terminal.until(/ended with \d/), /Nothing was run\.\nended with 1/);
  await terminal.saber(args);
  await terminal.until(/Type yes to run it/);
  await terminal.type("yes");
  await terminal.key("Enter");
  assert.match(await terminal.until(/ended with \d/), /ended with 0/);
  await terminal.saber(`sql -d ${file} "SELECT count(*) AS n FROM made"`);
  await terminal.until(/1 row/);
});
