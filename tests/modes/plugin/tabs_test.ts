/**
 * Tabs that nobody touches, and too many of them.
 */
import assert from "node:assert/strict";
import { workbench } from "../../../src/db/sqlite/workbench/workbench.ts";
import { Work } from "../../../src/db/work.ts";
import { execute } from "../../../src/modes/plugin/connection.ts";
import { readSettings } from "../../../src/modes/plugin/settings.ts";
import { Tabs } from "../../../src/modes/plugin/tabs.ts";
import { makeFile } from "../../support/sqlite_file.ts";

const { signal } = new AbortController();
const OPTIONS = {
  access: "write",
  statementMs: Infinity,
  connectMs: 10_000,
  home: "",
  applicationName: "test",
  startup: [],
} as const;

async function withWork(size: number, use: (work: Work) => Promise<void>): Promise<void> {
  await using file = await makeFile("CREATE TABLE t (a INTEGER)");
  const work = new Work(workbench, await workbench.open({ database: file.path, tls: {} }, OPTIONS), {
    size,
    idleMs: 1000,
  });
  try {
    await use(work);
  } finally {
    await work.close();
  }
}

const runSql = (tabs: Tabs, tab: string, sql: string) =>
  tabs.run(tab, signal, { work: (session, run) => execute(session, { sql, signal: run.signal }) });

Deno.test("a transaction that nobody touches is undone", async () => {
  await withWork(4, async (work) => {
    const tabs = new Tabs(work, { ...readSettings({}), sessionIdleMs: -1 });
    assert.equal((await runSql(tabs, "one", "BEGIN IMMEDIATE")).in_transaction, true);
    await runSql(tabs, "one", "INSERT INTO t VALUES (1)");
    assert.equal(tabs.isEmpty, false);
    await tabs.releaseIdle();
    assert.equal(tabs.isEmpty, true);
    // the lock is free, and the row is not there
    assert.equal((await runSql(tabs, "two", "BEGIN IMMEDIATE")).in_transaction, true);
    assert.equal((await runSql(tabs, "two", "DELETE FROM t")).result, 0);
    await tabs.release("two");
  });
});

Deno.test("tabs leave sessions to others, and say so", async () => {
  await withWork(4, async (work) => {
    const tabs = new Tabs(work, { ...readSettings({}), poolMaxSize: 3 });
    await runSql(tabs, "one", "BEGIN");
    await assert.rejects(
      runSql(tabs, "two", "BEGIN"),
      /1 tabs have one open already, and it was rolled back/,
    );
    assert.equal((await runSql(tabs, "two", "SELECT 1")).in_transaction, false);
    await tabs.release("one");
  });
});

Deno.test("runs of one tab wait for each other, and those of a closed tab do not begin", async () => {
  await withWork(4, async (work) => {
    const tabs = new Tabs(work, readSettings({}));
    const slow = runSql(
      tabs,
      "tab",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
    );
    const waiting = runSql(tabs, "tab", "INSERT INTO t VALUES (1)");
    const outcomes = Promise.allSettled([slow, waiting]);
    await tabs.release("tab");
    assert.deepEqual((await outcomes).map(({ status }) => status), ["rejected", "rejected"]);
    assert.equal((await runSql(tabs, "tab", "DELETE FROM t")).result, 0);
  });
});
