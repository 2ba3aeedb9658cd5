/** The processes of the SQLite engine: that they end, are replaced, are let go, and may do next to nothing. */
import assert from "node:assert/strict";
import { eventually, faultOf, rows, run, within } from "../../suites/database_fixture.ts";
import { SOON_MS } from "../../support/patience.ts";
import { makeFile, openFile, type SqliteFile } from "../../support/sqlite_file.ts";
import { isBusyWith, processesOf } from "../../support/sqlite_processes.ts";

const PLAIN = "CREATE TABLE plain (id INTEGER PRIMARY KEY); INSERT INTO plain VALUES (1), (2), (3)";
const ENDLESS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";

async function startParent({ path }: SqliteFile, sql: string): Promise<Deno.ChildProcess> {
  const script = new URL("../../support/sqlite_parent.ts", import.meta.url).href;
  const parent = new Deno.Command("deno", {
    args: ["run", "-q", "--allow-read", "--allow-run=deno", script, path, sql],
    stdout: "piped",
  }).spawn();
  const reader = parent.stdout.getReader();
  await reader.read();
  await reader.cancel();
  return parent;
}

async function killAll({ path }: SqliteFile): Promise<void> {
  for (const { pid } of await processesOf(path)) Deno.kill(pid, "SIGKILL");
  await eventually(SOON_MS, async () => (await processesOf(path)).length === 0);
  // until this program has been told
  await new Promise((resolve) => setTimeout(resolve, 500));
}

Deno.test("a killed program leaves no process that computes", async () => {
  await using file = await makeFile(PLAIN);
  const parent = await startParent(file, ENDLESS);
  await eventually(SOON_MS, async () => await isBusyWith(file.path));
  parent.kill("SIGKILL");
  await parent.status;
  await eventually(SOON_MS, async () => (await processesOf(file.path)).length === 0);
});

Deno.test("a program that ends leaves no idle process", async () => {
  await using file = await makeFile(PLAIN);
  const parent = await startParent(file, "SELECT 1");
  assert.equal((await parent.status).code, 0, "idle processes keep the program running");
  await eventually(SOON_MS, async () => (await processesOf(file.path)).length === 0);
});

Deno.test("an aborted statement's process is gone, not only quiet", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const stop = new AbortController();
  const running = faultOf(run(opened.database, ENDLESS, stop.signal));
  await eventually(SOON_MS, async () => await isBusyWith(file.path));
  const [busy] = (await processesOf(file.path)).filter((each) => each.isRunning);
  stop.abort();
  assert.equal((await within(SOON_MS, running)).code, "cancelled");
  await eventually(SOON_MS, async () => (await processesOf(file.path)).every(({ pid }) => pid !== busy?.pid));
});

Deno.test("a process that is killed from outside fails its statement and is replaced", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const running = faultOf(run(opened.database, ENDLESS));
  await eventually(SOON_MS, async () => await isBusyWith(file.path));
  await killAll(file);
  const fault = await running;
  assert.equal(fault.code, "database_error");
  assert.match(fault.message, /ended unexpectedly/);
  assert.equal((await rows(opened.database, "SELECT id FROM plain")).length, 3);
});

Deno.test("an idle process that is killed from outside is replaced without notice", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  await rows(opened.database, "SELECT id FROM plain");
  await killAll(file);
  assert.equal((await rows(opened.database, "SELECT id FROM plain")).length, 3);
});

Deno.test("an idle process is let go after a while, and the next statement has a new one", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file, { idleMs: 100 });
  await rows(opened.database, "SELECT id FROM plain");
  await eventually(SOON_MS, async () => (await processesOf(file.path)).length === 0);
  assert.equal((await rows(opened.database, "SELECT id FROM plain")).length, 3);
});

Deno.test("many statements at once share a few processes", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const work = Array.from({ length: 40 }, () => rows(opened.database, "SELECT id FROM plain"));
  await Promise.all(work);
  const count = (await processesOf(file.path)).length;
  assert.ok(count >= 1 && count <= 4, `${count} processes`);
});

Deno.test("statements that wait for a process can be aborted, and more than a bound are refused", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const stop = new AbortController();
  const running = Array.from({ length: 4 }, () => faultOf(run(opened.database, ENDLESS, stop.signal)));
  const waiting = Array.from({ length: 256 }, () => faultOf(run(opened.database, "SELECT 1", stop.signal)));
  assert.equal((await faultOf(run(opened.database, "SELECT 1"))).code, "busy");
  stop.abort();
  const codes = (await Promise.all([...running, ...waiting])).map((fault) => fault.code);
  assert.deepEqual(new Set(codes), new Set(["cancelled"]));
  assert.equal((await rows(opened.database, "SELECT id FROM plain")).length, 3);
});

for (const access of ["read", "write"] as const) {
  Deno.test(`a process may touch its file and nothing else, access "${access}"`, async () => {
    await using file = await makeFile(PLAIN);
    await using opened = openFile(file, { access });
    await rows(opened.database, "SELECT 1");
    const [{ commandLine } = { commandLine: "" }] = await processesOf(file.path);
    const flags = Array.from(commandLine.matchAll(/--allow-\S+/g), ([flag]) => flag);
    const expected = [
      `--allow-read=${file.path}`,
      ...access === "write" ? [`--allow-write=${file.path}`] : [],
    ];
    // Before 2.9, a process must be allowed to run anything to end itself.
    assert.deepEqual(flags.filter((flag) => flag !== "--allow-run"), expected);
    assert.equal(flags.includes("--allow-run"), Deno.version.deno.startsWith("2.7."));
  });
}

Deno.test("closing lets idle processes go too", async () => {
  await using file = await makeFile(PLAIN);
  const { database } = openFile(file);
  await rows(database, "SELECT id FROM plain");
  await within(SOON_MS, database.close());
  await eventually(SOON_MS, async () => (await processesOf(file.path)).length === 0);
});

Deno.test("a reader that is slow is not read ahead of", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const { batches } = await run(opened.database, ENDLESS.replace("count(*)", "hex(zeroblob(500))"));
  let count = 0;
  for await (const _ of batches) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (count > 0) await eventually(SOON_MS, async () => !await isBusyWith(file.path));
    if (++count === 5) break;
  }
});
