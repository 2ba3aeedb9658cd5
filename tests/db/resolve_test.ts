import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { DuckDBInstance } from "@duckdb/node-api";
import { Fault } from "../../src/base/fault.ts";
import type { Target } from "../../src/db/driver.ts";
import { resolveTargets } from "../../src/db/resolve.ts";
import type { SavedConnection, SavedConnections } from "../../src/db/saved.ts";

/** Real files of every kind, under names that promise the right thing, the wrong thing and nothing. */
async function makeFolder(): Promise<string> {
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  for (const name of ["shop.db", "plain", "really.csv", "a b.sqlite"]) {
    const db = new DatabaseSync(`${cwd}/${name}`);
    db.exec("CREATE TABLE t(a)");
    db.close();
  }
  for (const name of ["lake.duckdb", "duck.db"]) {
    const instance = await DuckDBInstance.create(`${cwd}/${name}`);
    const connection = await instance.connect();
    await connection.run("CREATE TABLE t(a int)");
    await connection.run(`COPY (SELECT 1 a) TO '${cwd}/${name}.parquet'`);
    connection.closeSync();
    instance.closeSync();
  }
  await Deno.mkdir(`${cwd}/sub`);
  const texts: Record<string, string> = {
    "a.csv": "x\n1\n",
    "B.CSV": "species,DUCK,GOOSE\n",
    "c.tsv": "x\ty\n",
    "d.jsonl": "{}\n",
    "sub/a.csv": "x\n1\n",
    "sales.2024.csv": "x\n",
    "100%.csv": "x\n",
    "empty.db": "",
    "empty.duckdb": "",
    "text.db": "hello, this is no database at all",
    "bad.parquet": "hello",
    "notes.md": "# notes",
  };
  for (const [name, text] of Object.entries(texts)) await Deno.writeTextFile(`${cwd}/${name}`, text);
  return cwd;
}

const cwd = await makeFolder();

function saved(
  connections: Record<string, Partial<SavedConnection>>,
  defaultName?: string,
): SavedConnections {
  return {
    find: (name) => {
      const found = connections[name];
      const base = { name, type: "sqlite" as const, tls: {}, csv: [], excludeSchemas: [] };
      return Promise.resolve(found ? { ...base, ...found } : undefined);
    },
    defaultName: () => Promise.resolve(defaultName),
  };
}

const NONE = saved({});

async function resolve(
  selectors: string[],
  connections: SavedConnections = NONE,
): Promise<readonly Target[]> {
  return await resolveTargets(selectors, { cwd, home: `${cwd}/sub`, saved: connections });
}

async function one(selector: string, connections: SavedConnections = NONE): Promise<Target> {
  const targets = await resolve([selector], connections);
  assert.equal(targets.length, 1);
  const [target] = targets;
  assert.ok(target);
  return target;
}

async function refusal(selectors: string[], connections: SavedConnections = NONE): Promise<Fault> {
  try {
    await resolve(selectors, connections);
  } catch (error) {
    assert.ok(error instanceof Fault, `not a Fault: ${error}`);
    return error;
  }
  throw new assert.AssertionError({ message: `${selectors} was not refused` });
}

function fileOf(target: Target): string {
  return target.engine === "sqlite" || target.engine === "duckdb" ? target.path : "";
}

Deno.test("a file is what its bytes say, whatever its name promises", async () => {
  const expected: [string, Target["engine"], string][] = [
    ["shop.db", "sqlite", "shop"],
    ["./shop.db", "sqlite", "shop"],
    ["plain", "sqlite", "plain"],
    ["really.csv", "sqlite", "really"],
    ["a b.sqlite", "sqlite", "a b"],
    ["empty.db", "sqlite", "empty"],
    ["lake.duckdb", "duckdb", "lake"],
    ["duck.db", "duckdb", "duck"],
    ["a.csv", "files", "a"],
    ["B.CSV", "files", "B"],
    ["c.tsv", "files", "c"],
    ["d.jsonl", "files", "d"],
    ["sales.2024.csv", "files", "sales.2024"],
    ["duck.db.parquet", "files", "duck.db"],
    ["~/a.csv", "files", "a"],
    ["sqlite:shop.db", "sqlite", "shop"],
    ["sqlite:///shop.db", "sqlite", "shop"],
    [`sqlite:///${cwd}/shop.db`, "sqlite", "shop"],
    [`sqlite:${cwd}/shop.db`, "sqlite", "shop"],
    [`sqlite://${cwd}/shop.db`, "sqlite", "shop"],
    ["sqlite:///a%20b.sqlite", "sqlite", "a b"],
    ["SQLite:///a b.sqlite", "sqlite", "a b"],
    ["sqlite:///:memory:", "sqlite", ":memory:"],
    ["sqlite:///duck.db", "duckdb", "duck"],
    ["duckdb:lake.duckdb", "duckdb", "lake"],
    ["duckdb:///lake.duckdb", "duckdb", "lake"],
    ["duckdb://lake.duckdb", "duckdb", "lake"],
    ["duckdb://", "duckdb", "database"],
    ["duckdb:///", "duckdb", "database"],
    ["csv:///a.csv", "files", "a"],
    [`csv:///${cwd}/a.csv`, "files", "a"],
    ["csv:///100%.csv", "files", "100%"],
    ["csv:///100%25.csv", "files", "100%"],
    ["csv:///notes.md", "files", "notes"],
  ];
  for (const [selector, engine, name] of expected) {
    const target = await one(selector);
    assert.deepEqual([target.engine, target.name], [engine, name], selector);
    if (fileOf(target) !== "" && fileOf(target) !== ":memory:") {
      assert.ok(fileOf(target).startsWith("/") || Deno.build.os === "windows", selector);
      assert.ok((await Deno.stat(fileOf(target))).isFile, selector);
    }
  }
});

Deno.test("data files become tables, with the options of their URL", async () => {
  const target = await one("csv:///a.csv?delimiter=%3B&encoding=latin-1&header=false");
  assert.deepEqual(target.engine === "files" && target.files, [
    { path: `${cwd}/a.csv`, table: "a", format: "csv", delimiter: ";", encoding: "latin-1", header: false },
  ]);
  const tsv = await one("c.tsv");
  assert.deepEqual(tsv.engine === "files" && tsv.files[0]?.delimiter, "\t");
  const json = await one("csv:///d.jsonl?sample=all");
  assert.deepEqual(json.engine === "files" && json.files, [
    { path: `${cwd}/d.jsonl`, table: "d", format: "json", sample: "all" },
  ]);
});

Deno.test("a list of data files is one database; with anything else each is its own", async () => {
  const [merged, ...more] = await resolve(["a.csv", "sub/a.csv", "lake.duckdb.parquet", "B.CSV"]);
  assert.deepEqual(more, []);
  assert.ok(merged?.engine === "files");
  assert.equal(merged.name, "a + 3 more");
  assert.deepEqual(merged.files.map((file) => [file.table, file.format]), [
    ["a", "csv"],
    ["a_2", "csv"],
    ["lake.duckdb", "parquet"],
    ["B", "csv"],
  ]);
  assert.deepEqual((await resolve(["a.csv", "c.tsv", "d.jsonl"])).map((target) => target.name), [
    "a + c + d",
  ]);
  assert.deepEqual((await resolve(["a.csv", "shop.db", "c.tsv"])).map((target) => target.name), [
    "a",
    "shop",
    "c",
  ]);
  const listed = await one(
    `csvs:///?spec=${encodeURIComponent("csv:///a.csv?delimiter=;")}&spec=&spec=${
      encodeURIComponent("csv:///c.tsv")
    }`,
  );
  assert.ok(listed.engine === "files");
  assert.equal(listed.name, "database");
  assert.deepEqual(listed.files.map((file) => [file.table, file.delimiter]), [["a", ";"], ["c", "\t"]]);
});

Deno.test("saved names: found, preferred to odd files, second to files with a known extension", async () => {
  const connections = saved({
    shop: { database: `${cwd}/shop.db`, description: "The shop", excludeSchemas: ["audit"] },
    plain: { database: "lake.duckdb" },
    "shop.db": { database: "lake.duckdb" },
    "gone.db": { database: "shop.db" },
    table: { type: "csv", database: "a.csv", csv: [["delimiter", ";"]] },
    pg: {
      type: "postgresql",
      host: "db.example.com",
      port: 5433,
      database: "sales",
      user: "reader",
      password: "p@ss w%rd",
      tls: { mode: "verify-full", ca: "ca.pem" },
    },
    my: { type: "mysql", host: "localhost", port: 0, database: "", tls: {} },
    lost: { database: "nowhere.db" },
  }, "shop");
  assert.deepEqual(await resolve([], connections), await resolve(["shop"], connections));
  assert.deepEqual(await one("shop", connections), {
    engine: "sqlite",
    name: "shop",
    path: `${cwd}/shop.db`,
    description: "The shop",
    excludeSchemas: ["audit"],
    saved: true,
  });
  assert.equal((await one("plain", connections)).engine, "duckdb");
  assert.equal((await one("shop.db", connections)).engine, "sqlite");
  assert.equal((await one("gone.db", connections)).engine, "sqlite");
  const table = await one("table", connections);
  assert.deepEqual([table.name, table.engine === "files" && table.files[0]?.delimiter], ["table", ";"]);
  assert.deepEqual(await one("pg", connections), {
    engine: "postgres",
    name: "pg",
    excludeSchemas: [],
    saved: true,
    hosts: [{ host: "db.example.com", port: 5433 }],
    user: "reader",
    password: "p@ss w%rd",
    database: "sales",
    tls: { mode: "verify-full", ca: `${cwd}/ca.pem` },
  });
  assert.deepEqual(await one("my", connections), {
    engine: "mysql",
    name: "my",
    excludeSchemas: [],
    saved: true,
    hosts: [{ host: "localhost", port: 3306 }],
    tls: { mode: "prefer" },
  });
  // A saved file keeps its own name, so it is not merged away.
  assert.deepEqual((await resolve(["table", "c.tsv"], connections)).map((target) => target.name), [
    "table",
    "c",
  ]);
  const lost = await refusal(["lost"], connections);
  assert.match(
    lost.message,
    /^Saved connection "lost": Cannot open the file "nowhere.db": it does not exist/,
  );
});

Deno.test("schemas hidden by the environment are added to those of the connection", async () => {
  const connections = saved({ shop: { database: "shop.db", excludeSchemas: ["audit", "tmp"] } });
  const [target] = await resolveTargets(["shop"], {
    cwd,
    saved: connections,
    excludeSchemas: { sqlite: ["tmp", "raw"], duckdb: ["other"] },
  });
  assert.deepEqual(target.excludeSchemas, ["audit", "tmp", "raw"]);
});

Deno.test("what cannot be used is refused in one sentence that says why and what to do", async () => {
  const cases: [string[], RegExp][] = [
    [["missing.db"], /"missing.db": it does not exist/],
    [["no/such/folder/x"], /"no\/such\/folder\/x": it does not exist/],
    [["a.csv/x.db"], /it does not exist/],
    [["sub/"], /it is a directory/],
    [["~"], /it is a directory/],
    [["text.db"], /it is not a SQLite or DuckDB database/],
    [["empty.duckdb"], /it is not a SQLite or DuckDB database/],
    [["bad.parquet"], /it is not a Parquet file/],
    [["notes.md"], /its extension none of/],
    [["nobody"], /Cannot find the database "nobody".*saber db list/],
    [[""], /Cannot find the database ""/],
    [["shop.db", "shop.db"], /two databases named "shop"/],
    [["oracle://u:secret@h/db"], /scheme is not supported/],
    [["https://x.example/a.csv"], /scheme is not supported/],
    [["csv:///a.csv?delimeter=;"], /only delimiter, encoding, header .* and sample/],
    [["csv:///a.csv?header=maybe"], /only delimiter, encoding, header .* and sample/],
    [["csv:///shop.db"], /it is a sqlite database/],
    [["csvs:///"], /spec/],
    [["csvs:///?spec=&spec=%20"], /spec/],
    [["csvs:///?spec=a.csv"], /spec/],
    [["sqlite:///missing.db"], /"missing.db": it does not exist/],
    [["a.csv", "missing.csv"], /"missing.csv": it does not exist/],
    [["nul\0.db"], /can't be read/],
  ];
  if (Deno.build.os !== "windows") {
    await new Deno.Command("mkfifo", { args: [`${cwd}/pipe.csv`] }).output();
    cases.push([["pipe.csv"], /it is not a regular file/]);
  }
  for (const [selectors, message] of cases) {
    const fault = await refusal(selectors);
    assert.equal(fault.code, "bad_target", String(selectors));
    assert.match(fault.message, message);
    assert.match(fault.message, /^Cannot .*\.$/s);
  }
});

Deno.test("without any database the sentence is the one that hosts know", async () => {
  const fault = await refusal([]);
  assert.equal(fault.code, "no_database");
  assert.equal(
    fault.message,
    "No database connections configured. Use 'sqlsaber db add <name>' to add one.",
  );
  assert.match((await refusal([], saved({}, "gone"))).message, /Cannot find the database "gone"/);
});

Deno.test("no error repeats a password, in whatever form it was given", async () => {
  const selectors = [
    "postgres://bob:s3cret@host:notaport/db",
    "postgres://bob:s3cret@host:99999/db",
    "postgres://bob:s3cret@host/db?sslmode=sometimes",
    "postgres://bob:s3cret@host/db?s3cret=1",
    "postgres://bob:%FFs3cret@host/db",
    "postgres://bob:12?s3cret@host/db",
    "postgres:bob:s3cret@host/db",
    "postgresql://bob:s3cret@[::1/db",
    "mysql://bob:s3cret@ho st/db",
    "mysql://bob:s3cret@host/db?ssl_cert=x.pem",
    "oracle://bob:s3cret@host/db",
    "bob:s3cret@host/db",
    "bob:s3/cret@host/s3cret.db",
    "host=localhost user=bob password=s3cret dbname=x",
    "Server=h;Pwd = s3cret;",
    "//bob:s3cret@host/db",
    "sqlite://bob:s3cret@host/db.sqlite",
    "csv://bob:s3cret@host/a.csv",
  ];
  for (const selector of selectors) {
    const fault = await refusal([selector]);
    assert.ok(
      !/s3cret|s3|cret|bob/.test(`${fault.message} ${fault.stack}`),
      `${selector} -> ${fault.message}`,
    );
  }
  const twice = await refusal(["postgres://bob:s3cret@a/db", "mysql://bob:s3cret@b/db"]);
  assert.match(twice.message, /two databases named "db"/);
  assert.ok(!twice.message.includes("s3cret"));
});
