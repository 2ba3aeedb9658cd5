/**
 * What DuckDB's own parser lets through and what it refuses, behind the guard and on a real file.
 */
import assert from "node:assert/strict";
import { driver } from "../../../src/db/duckdb.ts";
import type { Database } from "../../../src/db/driver.ts";
import { guard } from "../../../src/db/guarded.ts";
import { ask, duckdbFile, faultOf, testFolder } from "../../support/duckdb.ts";

const OPTIONS = { access: "read", timeoutMs: 10_000 } as const;

const SETUP = [
  "CREATE SCHEMA s",
  "CREATE TABLE t (id INTEGER, name VARCHAR, ts TIMESTAMP, tags VARCHAR[], doc JSON, pos STRUCT(x DOUBLE, y DOUBLE))",
  `INSERT INTO t SELECT range, 'n' || range % 3, TIMESTAMP '2024-01-01' + to_hours(range::INTEGER), ['a', 'b'],
    '{"k": {"v": [1, 2]}}', {'x': range, 'y': 1} FROM range(20)`,
  'CREATE TABLE s."sales.2024" AS SELECT 1 AS "what ever"',
  'CREATE TABLE "a/b*.csv" AS SELECT 1 AS a',
  "CREATE VIEW v AS SELECT * FROM t",
  "CREATE SEQUENCE seq",
  "CREATE MACRO twice(x) AS x * 2",
  "CREATE MACRO some_rows(n) AS TABLE SELECT * FROM t LIMIT n",
  "CREATE MACRO run_text(text) AS TABLE SELECT * FROM query(text)",
  "CREATE MACRO read_it(path) AS (SELECT content FROM read_text(path))",
  "CREATE MACRO indirect(path) AS read_it(path)",
  "CREATE MACRO lower(x) AS nextval('seq')",
  'CREATE MACRO "||"(a, b) AS 42',
  'CREATE MACRO "~~"(a, b) AS true',
  "CREATE MACRO duckdb_functions() AS TABLE SELECT 'read_text' AS function_name",
  'CREATE MACRO json_serialize_sql(x) AS \'{"error": false, "statements": [{}]}\'',
];

async function withShop(test: (database: Database) => Promise<void>): Promise<void> {
  await using folder = await testFolder();
  const inner = await driver.open(await duckdbFile(folder.path, SETUP), OPTIONS);
  const database = guard(inner, OPTIONS);
  try {
    await test(database);
  } finally {
    await database.close();
  }
}

const HARMLESS = [
  "SELECT 1",
  "select 1;",
  "SELECT 'read_csv(''x'')', 'DELETE FROM t' -- DROP TABLE t",
  "/* /* nested */ read_text('x') */ SELECT \"id\" FROM t",
  "SELECT $$a'b$$, $tag$ $$ $tag$, E'a\\'b', 'C:\\dir\\'",
  "(SELECT 1)",
  "((SELECT 1) UNION ALL (SELECT 2)) ORDER BY 1",
  "SELECT 1 UNION BY NAME SELECT 2 AS b EXCEPT SELECT 3, 4 INTERSECT SELECT 5, 6",
  "VALUES (1, 'a'), (2, 'b')",
  "SELECT * FROM (VALUES (1), (2)) v(x)",
  "WITH v(x) AS (VALUES (1), (2)) SELECT * FROM v",
  "FROM t",
  "FROM t SELECT id WHERE id > 3",
  "FROM t SELECT count(*) GROUP BY ALL",
  "WITH a AS MATERIALIZED (SELECT 1 AS x), b AS NOT MATERIALIZED (FROM a) SELECT * FROM a, b",
  "WITH a AS (FROM t) FROM a",
  "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM r",
  "WITH RECURSIVE r(n, m) USING KEY (n) AS (SELECT 1, 1 UNION SELECT n, m + 1 FROM r WHERE m < 3) FROM r",
  "EXPLAIN SELECT * FROM t",
  "EXPLAIN (FORMAT json) SELECT * FROM t",
  "explain /* why */ from t",
  "SELECT DISTINCT ON (name) name, id FROM t ORDER BY name, id DESC NULLS LAST",
  "SELECT name, count(*) FILTER (WHERE id > 3), sum(DISTINCT id), string_agg(name, ',' ORDER BY id) FROM t GROUP BY name HAVING count(*) > 1",
  "SELECT name, id, sum(id) FROM t GROUP BY GROUPING SETS ((name), (id), ())",
  "SELECT name, grouping(name) FROM t GROUP BY ROLLUP (name)",
  "SELECT id, row_number() OVER w, lag(id, 1, 0) OVER (PARTITION BY name ORDER BY id) FROM t WINDOW w AS (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES)",
  "SELECT * FROM t QUALIFY row_number() OVER (PARTITION BY name ORDER BY id) = 1",
  "SELECT first_value(id IGNORE NULLS) OVER (ORDER BY id), ntile(4) OVER (ORDER BY id), percent_rank() OVER (ORDER BY id) FROM t",
  "SELECT quantile_cont(id, [0.1, 0.5]), percentile_cont(0.5) WITHIN GROUP (ORDER BY id), mode(name), arg_max(id, ts), histogram(id), approx_count_distinct(id), median(id), stddev(id), corr(id, id) FROM t",
  "SELECT * FROM t a JOIN t b USING (id) LEFT JOIN t c ON a.id = c.id CROSS JOIN range(2) r SEMI JOIN t d ON a.id = d.id ANTI JOIN (SELECT -1 AS id) e ON a.id = e.id",
  "SELECT * FROM t a ASOF JOIN t b ON a.ts >= b.ts POSITIONAL JOIN t c",
  "SELECT * FROM t, LATERAL (SELECT t.id + 1 AS next) l",
  "SELECT * FROM t NATURAL JOIN v",
  "SELECT * FROM (PIVOT t ON name IN ('n0', 'n1') USING sum(id) GROUP BY pos)",
  "SELECT * FROM t PIVOT (count(*) FOR name IN ('n0', 'n1') GROUP BY id)",
  "FROM (UNPIVOT (SELECT 1 AS a, 2 AS b) ON a, b INTO NAME n VALUE x)",
  "SELECT * FROM t USING SAMPLE 10%",
  "SELECT * FROM t TABLESAMPLE reservoir(5 ROWS) REPEATABLE (42)",
  "SELECT * EXCLUDE (doc) REPLACE (id + 1 AS id) RENAME (name AS title) FROM t",
  "SELECT COLUMNS('id|name'), min(COLUMNS(* EXCLUDE (tags, doc, pos))) FROM t GROUP BY ALL",
  "SELECT COLUMNS(c -> c LIKE 'n%') FROM t",
  "SELECT list_transform([1, 2], x -> x + 1), list_filter([1, 2], lambda x: x > 1), [y * 2 FOR y IN [1, 2] IF y > 1], list_reduce([1, 2], lambda a, b: a + b)",
  "SELECT tags[1], tags[1:2], tags[-1], list_contains(tags, 'a'), len(tags), unnest(tags), array_to_string(tags, ',') FROM t",
  "SELECT pos.x, pos['y'], struct_pack(a := 1, b := 'x'), {'a': 1}.a, row(1, 2), struct_extract(pos, 'x') FROM t",
  "SELECT MAP {'a': 1}['a'], map_keys(MAP {'a': 1}), map_from_entries([('k', 5)]), element_at(MAP {'a': 1}, 'a')",
  "SELECT doc->'k', doc->>'$.k.v[0]', doc->'k'->'v'->>1, json_extract_string(doc, '$.k'), json_keys(doc), json_array_length(doc, '$.k.v'), doc::JSON FROM t",
  "SELECT * FROM t, json_each(doc, '$.k')",
  "SELECT * FROM json_tree('{\"a\": [1]}')",
  'SELECT json_group_array(id), json_group_object(name, id), to_json(pos), from_json(\'{"a": 1}\', \'{"a": "INTEGER"}\') FROM t GROUP BY pos',
  "SELECT CAST(id AS DECIMAL(10, 2)), id::VARCHAR, TRY_CAST(name AS INTEGER), DATE '2024-01-01', INTERVAL 3 DAY, TIMESTAMPTZ '2024-01-01 00:00:00+02', 'a'::ENUM('a', 'b'), [1]::INTEGER[1] FROM t",
  "SELECT CASE id WHEN 1 THEN 'one' ELSE 'more' END, CASE WHEN id > 1 THEN 1 END, coalesce(name, ''), nullif(id, 1), ifnull(name, 'x'), if(id > 1, 1, 0), greatest(1, 2), id IN (1, 2), id NOT IN (SELECT id FROM t), EXISTS (FROM t), id = ANY (SELECT 1), id BETWEEN 1 AND 2, NOT id IS NULL, id IS NOT DISTINCT FROM 1 FROM t",
  "SELECT name LIKE 'n%' ESCAPE '\\', name ILIKE 'N_', name SIMILAR TO 'n.', name GLOB 'n*', name ~ 'n.', regexp_matches(name, 'n'), name COLLATE NOCASE, starts_with(name, 'n'), name || 'x', -id, id % 2, id // 2, id ** 2, ~id, id & 1, id | 1, id << 1 FROM t",
  "SELECT extract(year FROM ts), date_part('month', ts), date_trunc('day', ts), strftime(ts, '%Y'), ts + INTERVAL 1 MONTH, age(ts), ts AT TIME ZONE 'UTC', epoch(ts), make_date(2024, 1, 1), last_day(ts), date_diff('day', ts, ts), time_bucket(INTERVAL 1 DAY, ts) FROM t",
  "SELECT substring(name FROM 1 FOR 2), position('n' IN name), trim(BOTH 'n' FROM name), upper(name), replace(name, 'n', 'm'), split_part(name, 'n', 1), format('{}', id), printf('%d', id), md5(name), sha256(name), base64(name::BLOB), hex(name), reverse(name), levenshtein(name, 'x') FROM t",
  "SELECT random() < 2, uuid() IS NOT NULL, now() IS NOT NULL, current_date IS NOT NULL, version(), current_user, current_schema(), pi(), typeof(1), hash(1), setseed(0.5)",
  "SELECT twice(id), twice(twice(id)) FROM t",
  "SELECT * FROM some_rows(2)",
  "SELECT * FROM v",
  "SELECT * FROM main.t",
  "SELECT * FROM test.main.t",
  "SELECT * FROM test.t",
  'SELECT "what ever" FROM s."sales.2024"',
  'SELECT * FROM "a/b*.csv"',
  "SELECT table_name FROM information_schema.tables",
  "SELECT count(*) FROM pg_catalog.pg_class",
  "SELECT name FROM sqlite_master",
  "SELECT table_name FROM duckdb_tables()",
  "SELECT column_name FROM duckdb_columns() WHERE table_name = 't'",
  "SELECT * FROM pragma_table_info('t')",
  "SELECT * FROM (DESCRIBE t)",
  "FROM (SUMMARIZE t)",
  "SELECT * FROM range(10), generate_series(1, 3), unnest([1, 2])",
  "SELECT unnest({'a': 1, 'b': {'c': 2}}, recursive := true)",
  "SELECT id: 1, name: 'x'",
  "SELECT t FROM t",
  "SELECT #1 FROM t",
  "SELECT (SELECT max(id) FROM t), ARRAY(SELECT id FROM t), [x FOR x IN (SELECT list(id) FROM t)]",
  "SELECT count() FROM t LIMIT 10 OFFSET 2",
  "SELECT 1 ORDER BY ALL",
  "SELECT try(CAST('x' AS INTEGER))",
  "SELECT rowid, id FROM t WHERE rowid < 3",
];

Deno.test("honest statements run", async (t) => {
  await withShop(async (database) => {
    for (const sql of HARMLESS) {
      await t.step(sql.slice(0, 80), async () => {
        const fault = await faultOf(() => ask(database, sql));
        assert.equal(fault, undefined, `${fault?.message} ${fault?.server?.message}`);
      });
    }
  });
});

/** A forbidden call in each place where a function can stand. */
const PLACES = [
  (call: string) => `SELECT ${call}`,
  (call: string) => `SELECT 1 WHERE (${call}) IS NULL`,
  (call: string) => `SELECT id FROM t ORDER BY ${call}`,
  (call: string) => `SELECT id FROM t GROUP BY id, ${call}`,
  (call: string) => `SELECT id FROM t GROUP BY id HAVING (${call}) IS NULL`,
  (call: string) => `SELECT id FROM t QUALIFY row_number() OVER (ORDER BY ${call}) = 1`,
  (call: string) => `SELECT sum(id) OVER (PARTITION BY ${call}) FROM t`,
  (call: string) => `SELECT sum(id) FILTER (WHERE (${call}) IS NULL) FROM t`,
  (call: string) => `SELECT CASE WHEN true THEN ${call} END`,
  (call: string) => `SELECT coalesce(NULL, ${call})`,
  (call: string) => `SELECT [${call}], {'a': ${call}}, MAP {'a': ${call}}`,
  (call: string) => `SELECT list_transform([1], x -> ${call})`,
  (call: string) => `SELECT [${call} FOR x IN [1]]`,
  (call: string) => `SELECT * REPLACE (${call} AS id) FROM t`,
  (call: string) => `SELECT CAST(${call} AS VARCHAR)`,
  (call: string) => `SELECT 1 IN (${call})`,
  (call: string) => `SELECT EXISTS (SELECT ${call})`,
  (call: string) => `WITH a AS (SELECT ${call} AS x) SELECT * FROM a`,
  (call: string) => `SELECT * FROM (VALUES (${call})) v`,
  (call: string) => `SELECT 1 UNION SELECT ${call}`,
  (call: string) => `SELECT * FROM t JOIN v ON t.id = v.id AND (${call}) IS NULL`,
  (call: string) => `SELECT * FROM t, LATERAL (SELECT ${call})`,
  (call: string) => `SELECT * FROM range(1) r(x) WHERE x IN (SELECT ${call})`,
  (call: string) => `SELECT DISTINCT ON (${call}) id FROM t`,
  (call: string) => `SELECT count(*) FROM t PIVOT (max(${call}) FOR name IN ('n0'))`,
  (call: string) => `FROM t SELECT ${call}`,
  (call: string) => `EXPLAIN SELECT ${call}`,
  (call: string) => `EXPLAIN (FORMAT json) SELECT ${call}`,
];
const CALLS = [
  "nextval('seq')",
  "currval('seq')",
  "main.nextval('seq')",
  "\"NextVal\"('seq')",
  "('seq').nextval()",
  "write_log('x')",
  "sleep_ms(1)",
  "pg_sleep(0)",
  "current_setting('threads')",
  "getenv('HOME')",
  "json_serialize_plan('SELECT 1')",
  "read_it('/etc/hostname')",
  "indirect('/etc/hostname')",
  "lower('x')",
];
const TABLES = [
  "query('SELECT 1')",
  "query_table('t')",
  "query_table(['t'])",
  "run_text('SELECT 1')",
  "read_csv('/etc/passwd')",
  "read_csv_auto('/etc/passwd')",
  "read_text('/etc/passwd')",
  "read_blob('/etc/passwd')",
  "read_json('/etc/passwd')",
  "read_ndjson_objects('/etc/passwd')",
  "read_parquet('x.parquet')",
  "parquet_scan('x.parquet')",
  "parquet_metadata('x.parquet')",
  "parquet_schema('x.parquet')",
  "read_duckdb('x.duckdb')",
  "sniff_csv('/etc/passwd')",
  "glob('/etc/*')",
  "\"READ_TEXT\"('/etc/passwd')",
  "main.read_text('/etc/passwd')",
  "system.main.read_text('/etc/passwd')",
  "duckdb_secrets()",
  "which_secret('s3://x', 's3')",
  "duckdb_settings()",
  "duckdb_databases()",
  "duckdb_extensions()",
  "duckdb_logs()",
  "duckdb_variables()",
  "duckdb_temporary_files()",
  "duckdb_external_file_cache()",
  "duckdb_prepared_statements()",
  "enable_logging()",
  "enable_logging(storage = 'file', storage_path = 'logs')",
  "enable_profiling()",
  "truncate_duckdb_logs()",
  "checkpoint()",
  "force_checkpoint()",
  "sql_auto_complete('SEL')",
  "json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
  "histogram(t, id)",
  "pragma_database_size()",
  "test_all_types()",
];

Deno.test("a function that is not allowed is refused wherever it stands", async (t) => {
  await withShop(async (database) => {
    const check = async (sql: string) => {
      await t.step(sql.slice(0, 90), async () => {
        assert.equal((await faultOf(() => ask(database, sql)))?.code, "forbidden_function");
      });
    };
    for (const call of CALLS) await check(`SELECT ${call}`);
    for (const place of PLACES) await check(place("nextval('seq')"));
    for (const call of TABLES) {
      await check(`SELECT * FROM ${call}`);
      await check(`SELECT (SELECT count(*) FROM ${call})`);
      await check(`WITH a AS (FROM ${call}) FROM a`);
      await check(`FROM t WHERE id IN (SELECT 1 FROM t JOIN ${call} ON true)`);
    }
    for (
      const view of [
        "duckdb_databases",
        "duckdb_logs",
        "pg_settings",
        "pg_catalog.pg_settings",
        "pragma_database_list",
      ]
    ) {
      await check(`SELECT * FROM ${view}`);
    }
  });
});

const REFUSED: { readonly [sql: string]: string } = {
  "SELECT * FROM '/etc/passwd'": "unknown_relation",
  "SELECT * FROM '/etc/x.csv'": "unknown_relation",
  'SELECT * FROM "/etc/x.csv"': "unknown_relation",
  "SELECT * FROM 'x.parquet'": "unknown_relation",
  "SELECT * FROM x.csv": "unknown_relation",
  "SELECT * FROM 'https://example.com/x.csv'": "unknown_relation",
  "SELECT * FROM 's3://bucket/*.parquet'": "unknown_relation",
  "SELECT (SELECT count(*) FROM 'x.json')": "unknown_relation",
  "FROM (DESCRIBE SELECT * FROM 'x.csv')": "unknown_relation",
  "FROM (SUMMARIZE 'x.csv')": "unknown_relation",
  "SELECT 1; SELECT 2": "multiple_statements",
  "SELECT 1; DROP TABLE t": "multiple_statements",
  "INSERT INTO t (id) VALUES (1)": "not_read_only",
  "WITH a AS (SELECT 1) INSERT INTO t (id) SELECT 1": "not_read_only",
  "DELETE FROM t": "not_read_only",
  "DROP TABLE t": "not_read_only",
  "COPY t TO 'x.csv'": "not_read_only",
  "COPY (SELECT 1) TO 'x.csv'": "not_read_only",
  "ATTACH ':memory:' AS a": "not_read_only",
  "SET threads = 1": "not_read_only",
  "PRAGMA database_list": "not_read_only",
  "PRAGMA table_info('t')": "not_read_only",
  "CALL pragma_version()": "not_read_only",
  "EXPLAIN ANALYZE SELECT 1": "not_read_only",
  "EXPLAIN (ANALYZE) SELECT 1": "not_read_only",
  "EXPLAIN (FORMAT json, ANALYZE) SELECT 1": "not_read_only",
  "EXPLAIN DELETE FROM t": "not_read_only",
  "EXPLAIN COPY t TO 'x.csv'": "not_read_only",
  "DESCRIBE t": "not_read_only",
  "SUMMARIZE t": "not_read_only",
  "SHOW TABLES": "not_read_only",
  "FROM (SHOW DATABASES)": "not_read_only",
  "FROM (SHOW ALL TABLES)": "not_read_only",
  "TABLE t": "not_read_only",
  "SELECT ?": "not_understood",
  "SELECT $1": "not_understood",
};

Deno.test("statements of other kinds, and files in place of tables, are refused", async (t) => {
  await withShop(async (database) => {
    for (const [sql, code] of Object.entries(REFUSED)) {
      await t.step(sql, async () => assert.equal((await faultOf(() => ask(database, sql)))?.code, code));
    }
  });
});
