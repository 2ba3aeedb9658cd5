/**
 * Statements of a session that may write: what they call is judged as in statements that read.
 */
import assert from "node:assert/strict";
import { guard } from "../../../src/db/guarded.ts";
import { driver } from "../../../src/db/duckdb.ts";
import { faultOf } from "../../suites/database_fixture.ts";
import { ask, duckdbFile, testFolder } from "../../support/duckdb.ts";
import { VICTIM } from "./attack_list.ts";

const OPTIONS = { access: "write", timeoutMs: 10_000 } as const;

/** Where a statement that writes can call a function, or read a view. */
const PLACES: readonly ((call: string) => string)[] = [
  (call) => `INSERT INTO notes VALUES (1, ${call})`,
  (call) => `INSERT INTO notes (id, body) SELECT 1, ${call}`,
  (call) => `INSERT INTO notes BY NAME SELECT ${call} AS body`,
  (call) => `INSERT OR REPLACE INTO main.notes (body) VALUES (${call})`,
  (call) => `INSERT INTO notes VALUES (1, 'x') RETURNING ${call}`,
  (call) => `INSERT INTO notes VALUES (0, 'x') ON CONFLICT (id) DO UPDATE SET body = ${call}`,
  (call) => `WITH a AS (SELECT ${call} AS x) INSERT INTO notes SELECT 1, x FROM a`,
  (call) => `INSERT INTO notes SELECT 1, x FROM (SELECT ${call}) q(x)`,
  (call) => `UPDATE notes SET body = ${call} WHERE id = 0`,
  (call) => `UPDATE notes SET body = 'x' WHERE id = 0 AND (${call}) IS NOT NULL`,
  (call) => `DELETE FROM notes WHERE body = ${call}`,
  (call) => `DELETE FROM notes WHERE id IN (SELECT 1 WHERE (${call}) IS NOT NULL)`,
  (call) => `CREATE TABLE made AS SELECT ${call} AS x`,
  (call) => `CREATE VIEW made AS SELECT ${call} AS x`,
];

/** The same, where no sub-select can stand. */
const DEFINITIONS: typeof PLACES = [
  (call) => `CREATE TABLE made (x VARCHAR DEFAULT (${call}))`,
  (call) => `CREATE TABLE made (x VARCHAR, CHECK (x <> ${call}))`,
  (call) => `CREATE TABLE made (x VARCHAR, y VARCHAR AS (${call}))`,
  (call) => `ALTER TABLE notes ADD COLUMN made VARCHAR DEFAULT (${call})`,
  (call) => `CREATE INDEX made ON notes ((${call}))`,
];

const CALLS = [
  "current_setting('threads')",
  "\"Current_Setting\"('threads')",
  "current_setting/**/('threads')",
  "current_setting -- (\n('threads')",
  "main.current_setting('threads')",
  "system.main.current_setting('threads')",
  "('threads').current_setting()",
  "pg_sleep(0)",
  "sleep_ms(0)",
  "write_log('x')",
  "json_serialize_plan('SELECT 1')",
  "read_it(':secret')",
  "indirect(':secret')",
  "(SELECT max(content) FROM read_text('/etc/passwd'))",
  "(SELECT max(name) FROM duckdb_settings())",
  "(SELECT max(path) FROM duckdb_databases)",
  "(SELECT max(setting) FROM pg_catalog.pg_settings)",
  "(SELECT max(name) FROM duckdb_secrets())",
  "(SELECT max(a) FROM query('SELECT ''1'' AS a'))",
  "(SELECT max(file) FROM glob('*'))",
  "(SELECT count(*) FROM enable_logging())",
  "(SELECT count(*) FROM checkpoint())",
  "(SELECT count(*) FROM setting_view)",
  '(SELECT count(*) FROM "Setting_View")',
  "(SELECT count(*) FROM over_view)",
  "(SELECT count(*) FROM macro_view())",
  "(SELECT count(*) FROM (SHOW DATABASES))",
];

/** Names that look like calls, in statements as people write them. */
const HARMLESS = [
  "CREATE TABLE query (id INTEGER PRIMARY KEY, word VARCHAR(10), summary DECIMAL(10, 2))",
  'CREATE TABLE IF NOT EXISTS main.summary (id INTEGER REFERENCES query (id), "show" INTEGER)',
  "CREATE UNIQUE INDEX by_word ON query (word)",
  "CREATE INDEX IF NOT EXISTS by_id ON main.summary (id)",
  "INSERT INTO query (id, word) VALUES (1, 'read_text(x)'), (2, upper('b')) -- query('x')",
  'INSERT INTO main.summary (id, "show") VALUES (1, 2) RETURNING ("show")',
  "INSERT INTO notes (id, body) SELECT nextval('seq'), concat_ws('-', 'a', current_date)",
  "INSERT INTO notes SELECT range + 100, 'n' || range FROM range(3)",
  "WITH query (x) AS (SELECT 1000) INSERT INTO notes (id) SELECT x FROM query",
  "INSERT INTO notes (id) SELECT x FROM (SELECT 2000) AS summary(x)",
  "INSERT INTO notes (id) SELECT x FROM (VALUES (3000)) summary(x)",
  "UPDATE query SET word = upper(trim(word)), summary = round(random(), 2) WHERE id = 2",
  "DELETE FROM query WHERE id IN (SELECT id FROM query WHERE word = 'B')",
  "CREATE VIEW counted AS SELECT count(*) AS n, max(q.word) AS most FROM query q",
  "ALTER TABLE query ADD COLUMN made TIMESTAMP DEFAULT '2024-01-01'",
];

function at<Item>(list: readonly Item[], index: number): Item {
  const item = list[index % list.length];
  assert.ok(item !== undefined);
  return item;
}

async function withNotes(use: (run: (sql: string) => Promise<unknown>) => Promise<void>): Promise<void> {
  await using folder = await testFolder();
  const notes = [
    "CREATE TABLE notes (id INTEGER UNIQUE, body VARCHAR)",
    "INSERT INTO notes VALUES (0, 'kept')",
  ];
  const target = await duckdbFile(folder.path, [...VICTIM, ...notes]);
  const database = guard(await driver.open(target, OPTIONS), OPTIONS);
  try {
    await use((sql) => ask(database, sql));
    const { rows } = await ask(database, "SELECT count(*) FROM notes WHERE body = 'kept'");
    assert.deepEqual(rows, [[1]]);
  } finally {
    await database.close();
  }
}

Deno.test("DuckDB: a statement that writes may not call what a statement that reads may not", async () => {
  await withNotes(async (run) => {
    const [plain = "", ...others] = CALLS;
    const everywhere = [...PLACES, ...DEFINITIONS].map((place) => place(plain));
    const everyOther = others.flatMap((call, index) =>
      [0, 5, 9].map((step) => at(PLACES, index + step)(call))
    );
    for (const sql of [...everywhere, ...everyOther]) {
      const { code } = await faultOf(run(sql));
      assert.equal(code, sql.includes("SHOW") ? "not_read_only" : "forbidden_function", sql);
    }
  });
});

Deno.test("DuckDB: statements that write as people write them run", async () => {
  await withNotes(async (run) => {
    for (const sql of HARMLESS) {
      await run(sql).catch((error) => assert.fail(`${sql}: ${error}`));
    }
  });
});
