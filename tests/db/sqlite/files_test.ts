/** Files as they are found: locked, in WAL mode and being written, replaced, damaged, with odd names. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { eventually, faultOf, rows, run, within } from "../../suites/database_fixture.ts";
import { SOON_MS } from "../../support/patience.ts";
import { makeFile, openFile, runSql } from "../../support/sqlite_file.ts";

const PAIRS = "CREATE TABLE pair (n INTEGER); INSERT INTO pair VALUES (1), (1)";

Deno.test("a file in WAL mode is read correctly while another process writes it", async () => {
  await using file = await makeFile(`PRAGMA journal_mode = WAL; ${PAIRS}`);
  const script = `
    import { DatabaseSync } from "node:sqlite";
    const db = new DatabaseSync(${JSON.stringify(file.path)}, { timeout: 5000 });
    for (let n = 2; n < 2000; n++) {
      db.exec("BEGIN; INSERT INTO pair VALUES (" + n + "); INSERT INTO pair VALUES (" + n + "); COMMIT");
      if (n % 500 === 0) db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    db.close();`;
  const writer = new Deno.Command("deno", { args: ["eval", "-q", script] }).spawn();
  await using opened = openFile(file);
  let last = 0;
  const count = async () => Number((await rows(opened.database, "SELECT count(*) FROM pair"))[0]?.[0]);
  await eventually(SOON_MS, async () => {
    const now = await count();
    assert.equal(now % 2, 0, "half a transaction was seen");
    assert.ok(now >= last, "rows went away");
    last = now;
    return now === 3998;
  });
  assert.equal((await writer.status).code, 0);
});

Deno.test("reading does not keep a writer from its work", async () => {
  await using file = await makeFile(`PRAGMA journal_mode = WAL; ${PAIRS}`);
  await using opened = openFile(file);
  await rows(opened.database, "SELECT * FROM pair");
  const { batches } = await run(
    opened.database,
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT c.n FROM c, pair",
  );
  for await (const _ of batches) break;
  const db = new DatabaseSync(file.path);
  const [state] = db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
  db.close();
  assert.equal(state?.["busy"], 0, "a statement that was left still reads");
});

Deno.test("a locked file is a clear failure within the timeout", async () => {
  await using file = await makeFile(PAIRS);
  await using opened = openFile(file, { timeoutMs: 6000 });
  const db = new DatabaseSync(file.path);
  db.exec("BEGIN EXCLUSIVE");
  const fault = await within(SOON_MS, faultOf(run(opened.database, "SELECT * FROM pair")));
  assert.equal(fault.code, "busy");
  assert.equal(
    (await faultOf(opened.database.tables({ signal: AbortSignal.timeout(SOON_MS) }))).code,
    "busy",
  );
  db.exec("COMMIT");
  db.close();
  assert.equal((await rows(opened.database, "SELECT * FROM pair")).length, 2);
});

Deno.test("a lock that goes away in time is waited for", async () => {
  await using file = await makeFile(PAIRS);
  await using opened = openFile(file);
  await rows(opened.database, "SELECT * FROM pair");
  const db = new DatabaseSync(file.path);
  db.exec("BEGIN EXCLUSIVE");
  const reading = rows(opened.database, "SELECT * FROM pair");
  await new Promise((resolve) => setTimeout(resolve, 300));
  db.exec("COMMIT");
  db.close();
  assert.equal((await reading).length, 2);
});

Deno.test("a file that takes the place of another is the one that is read", async () => {
  await using file = await makeFile(PAIRS);
  await using opened = openFile(file);
  assert.equal((await rows(opened.database, "SELECT * FROM pair")).length, 2);
  runSql(`${file.path}.new`, "CREATE TABLE pair (n INTEGER); INSERT INTO pair VALUES (7)");
  await Deno.rename(`${file.path}.new`, file.path);
  assert.deepEqual(await rows(opened.database, "SELECT * FROM pair"), [[7]]);
  await Deno.remove(file.path);
  const fault = await faultOf(run(opened.database, "SELECT * FROM pair"));
  assert.equal(fault.code, "bad_target");
  assert.match(fault.message, /gone/);
});

Deno.test("a file is found through a symbolic link, also when the link is changed", async () => {
  await using file = await makeFile(PAIRS);
  const link = `${file.folder}/link.db`;
  await Deno.symlink(file.path, link);
  await using opened = openFile({ target: { ...file.target, path: link } });
  assert.equal((await rows(opened.database, "SELECT * FROM pair")).length, 2);
  runSql(`${file.folder}/other.db`, "CREATE TABLE pair (n INTEGER)");
  await Deno.remove(link);
  await Deno.symlink(`${file.folder}/other.db`, link);
  assert.deepEqual(await rows(opened.database, "SELECT * FROM pair"), []);
});

Deno.test("files that are no SQLite database are refused at once", async () => {
  await using file = await makeFile(PAIRS);
  const bad = { missing: undefined, "text.db": "hello, this is no database at all", folder: null };
  await Deno.mkdir(`${file.folder}/folder`);
  await Deno.writeTextFile(`${file.folder}/text.db`, bad["text.db"]);
  for (const name of Object.keys(bad)) {
    const target = { ...file.target, path: `${file.folder}/${name}` };
    const fault = await faultOf(Promise.try(() => openFile({ target })));
    assert.equal(fault.code, "bad_target", name);
  }
});

Deno.test("a damaged file is told when it is read", async () => {
  await using file = await makeFile(PAIRS);
  const bytes = await Deno.readFile(file.path);
  await Deno.writeFile(file.path, bytes.fill(0x5a, 100));
  await using opened = openFile(file);
  const fault = await faultOf(rows(opened.database, "SELECT * FROM pair"));
  assert.equal(fault.code, "database_error");
  assert.match(fault.message, /damaged/);
});

Deno.test("an encrypted-looking header behind the right first bytes is no database", async () => {
  await using file = await makeFile(PAIRS);
  const bytes = await Deno.readFile(file.path);
  await Deno.writeFile(file.path, bytes.fill(0xff, 16, 100));
  await using opened = openFile(file);
  assert.equal((await faultOf(rows(opened.database, "SELECT * FROM pair"))).code, "bad_target");
});

Deno.test("a file without a byte is a database without tables", async () => {
  await using file = await makeFile(PAIRS);
  await Deno.writeFile(file.path, new Uint8Array(0));
  await using opened = openFile(file);
  assert.deepEqual(await opened.database.tables({ signal: AbortSignal.timeout(SOON_MS) }), []);
  assert.deepEqual(await rows(opened.database, "SELECT 1"), [[1]]);
});

for (const name of ["a b.db", "comma,comma.db", "größe 😀.db", "quote'\".db", "percent%20#?.db", "-q.db"]) {
  Deno.test(`a file named ${name} is opened for reading and writing`, async () => {
    await using file = await makeFile(PAIRS, { name });
    await using writing = openFile(file, { access: "write" });
    await rows(writing.database, "INSERT INTO pair VALUES (2)");
    await using reading = openFile(file);
    assert.equal((await rows(reading.database, "SELECT * FROM pair")).length, 3);
  });
}

Deno.test("a database in memory keeps its tables from statement to statement", async () => {
  const target = { engine: "sqlite", name: "memory", path: ":memory:", excludeSchemas: [] } as const;
  await using opened = openFile({ target }, { access: "write", idleMs: 1 });
  await rows(opened.database, "CREATE TABLE t (a)");
  await Promise.all([1, 2, 3].map((n) => rows(opened.database, `INSERT INTO t VALUES (${n})`)));
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(await rows(opened.database, "SELECT a FROM t ORDER BY a"), [[1], [2], [3]]);
  await using reading = openFile({ target });
  assert.deepEqual(await rows(reading.database, "SELECT 1"), [[1]]);
  assert.equal((await faultOf(run(reading.database, "CREATE TABLE t (a)"))).code, "not_read_only");
});

Deno.test("a change that was interrupted is undone by the next program that writes", async () => {
  await using file = await makeFile(PAIRS);
  const insert =
    "INSERT INTO pair WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c";
  await using opened = openFile(file, { access: "write" });
  const stop = new AbortController();
  const running = faultOf(run(opened.database, insert, stop.signal));
  await eventually(SOON_MS, async () => (await Deno.stat(file.path)).size > 4_000_000);
  stop.abort();
  assert.equal((await running).code, "cancelled");
  assert.equal((await rows(opened.database, "SELECT * FROM pair")).length, 2);
});

Deno.test("what a reader needs beside a WAL file and may not create is told", async () => {
  await using file = await makeFile(`PRAGMA journal_mode = WAL; ${PAIRS}`);
  await Deno.chmod(file.path, 0o444);
  await Deno.chmod(file.folder, 0o555);
  const script = new URL("../../support/sqlite_query.ts", import.meta.url).href;
  const { stdout } = await new Deno.Command("deno", {
    args: ["run", "-q", "--allow-read", "--allow-run=deno", script, file.path, "SELECT * FROM pair"],
    // The superuser may create everything everywhere.
    ...Deno.uid() === 0 ? { uid: 65534 } : {},
  }).output();
  await Deno.chmod(file.folder, 0o755);
  const text = new TextDecoder().decode(stdout);
  assert.match(text, /^bad_target: .*WAL mode.*folder/);
});
