/**
 * Statements that a reading session must refuse, and what DuckDB itself, opened as the program opens it, does about each
 * when nothing judges them. `:secret` is a file beside the database, `:out` one that would be written, `:folder` the folder
 * of both, `:url` begins the address of a server on this machine.
 */

/** Without any judgement: DuckDB refuses it, runs it without any effect on files, or the process ends. */
export type Alone = "stopped" | "runs" | "aborts";

export interface Attack {
  readonly sql: string;
  readonly alone: Alone;
  /** The code of the refusal behind the guard. */
  readonly code: string;
}

type Kind = (sql: string) => Attack;
const kind = (alone: Alone, code: string): Kind => (sql) => ({ sql, alone, code });
const FUNCTION = "forbidden_function";

/** A forbidden call in each place where a function can stand. */
const PLACES: readonly ((call: string) => string)[] = [
  (call) => `SELECT ${call}`,
  (call) => `SELECT 1 WHERE (${call}) IS NULL`,
  (call) => `SELECT id FROM t ORDER BY ${call}`,
  (call) => `SELECT id FROM t GROUP BY id, ${call}`,
  (call) => `SELECT id FROM t GROUP BY id HAVING (${call}) IS NULL`,
  (call) => `SELECT id FROM t QUALIFY row_number() OVER (ORDER BY ${call}) = 1`,
  (call) => `SELECT sum(id) OVER (PARTITION BY ${call}) FROM t`,
  (call) => `SELECT sum(id) OVER w FROM t WINDOW w AS (ORDER BY ${call})`,
  (call) => `SELECT sum(id) FILTER (WHERE (${call}) IS NULL) FROM t`,
  (call) => `SELECT string_agg(name, ',' ORDER BY ${call}) FROM t`,
  (call) => `SELECT CASE WHEN true THEN ${call} END`,
  (call) => `SELECT CASE ${call} WHEN 1 THEN 2 ELSE 3 END`,
  (call) => `SELECT coalesce(NULL, ${call})`,
  (call) => `SELECT [${call}], {'a': ${call}}, MAP {'a': ${call}}`,
  (call) => `SELECT list_transform([1], x -> ${call})`,
  (call) => `SELECT list_filter([1], lambda x: (${call}) IS NULL)`,
  (call) => `SELECT [${call} FOR x IN [1]]`,
  (call) => `SELECT * REPLACE (${call} AS id) FROM t`,
  (call) => `SELECT CAST(${call} AS VARCHAR)`,
  (call) => `SELECT try(${call})`,
  (call) => `SELECT 1 IN (${call})`,
  (call) => `SELECT 1 BETWEEN 0 AND ${call}`,
  (call) => `SELECT EXISTS (SELECT ${call})`,
  (call) => `SELECT 1 = ANY (SELECT ${call})`,
  (call) => `WITH a AS (SELECT ${call} AS x) SELECT * FROM a`,
  (call) => `WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT ${call} FROM a WHERE x < 0) FROM a`,
  (call) => `SELECT * FROM (VALUES (${call})) v`,
  (call) => `VALUES (1), (${call})`,
  (call) => `SELECT 1 UNION SELECT ${call}`,
  (call) => `(SELECT 1) EXCEPT (SELECT ${call})`,
  (call) => `SELECT * FROM t JOIN v ON t.id = v.id AND (${call}) IS NULL`,
  (call) => `SELECT * FROM t, LATERAL (SELECT ${call})`,
  (call) => `SELECT * FROM range(1) r(x) WHERE x IN (SELECT ${call})`,
  (call) => `SELECT DISTINCT ON (${call}) id FROM t`,
  (call) => `SELECT * FROM t PIVOT (max(${call}) FOR name IN ('n0'))`,
  (call) => `FROM t SELECT ${call}`,
  (call) => `EXPLAIN SELECT ${call}`,
  (call) => `EXPLAIN (FORMAT json) SELECT ${call}`,
];

/** One call, spelled in every way. */
const SPELLINGS: readonly Attack[] = [
  "SELECT main.nextval('seq')",
  "SELECT system.main.nextval('seq')",
  "SELECT pg_catalog.nextval('seq')",
  "SELECT \"NextVal\"('seq')",
  "SELECT NEXTVAL('seq')",
  "SELECT ('seq').nextval()",
  "SELECT nextval/**/('seq')",
  "SELECT nextval -- (\n('seq')",
  "SELECT /* /* nested */ */ nextval('seq')",
  "SELECT nextval($$seq$$)",
  "SELECT nextval($tag$seq$tag$)",
  "SELECT nextval(E'seq')",
  "SELECT nextval(E'\\x73eq')",
  "SELECT nextval('se' || 'q')",
].map(kind("stopped", FUNCTION));

/** Calls in a select list. */
const SCALARS: readonly Attack[] = [
  ...["currval('seq')", "getenv('HOME')", "lower('x')"].map((call) => `SELECT ${call}`)
    .map(kind("stopped", FUNCTION)),
  ...[
    "current_setting('temp_directory')",
    "write_log('x')",
    "json_serialize_plan('SELECT 1')",
    "pg_sleep(0)",
    "sleep_ms(1)",
  ].map((call) => `SELECT ${call}`).map(kind("runs", FUNCTION)),
  ...[
    "read_it(':secret')",
    "indirect(':secret')",
    "(SELECT content FROM read_text(':secret'))",
    "(FROM read_blob(':secret') SELECT content)",
    "list_transform([':secret'], x -> read_it(x))",
  ].map((call) => `SELECT ${call}`).map(kind("stopped", FUNCTION)),
];

/** A forbidden table in each place where one can stand. */
const TABLE_PLACES: readonly ((call: string) => string)[] = [
  (call) => `SELECT * FROM ${call}`,
  (call) => `SELECT (SELECT count(*) FROM ${call})`,
  (call) => `WITH a AS (FROM ${call}) FROM a`,
  (call) => `FROM t WHERE id IN (SELECT 1 FROM t JOIN ${call} ON true)`,
];

/** Calls in FROM that read files or addresses, or write the database. */
const FILES: readonly Attack[] = [
  "read_csv(':secret')",
  "read_csv_auto(':secret')",
  "read_csv([':secret', ':secret'])",
  "read_csv(':folder/*')",
  "read_text(':secret')",
  "read_text(':folder/../*/secret')",
  "read_text('file://:secret')",
  "read_text(':url/x')",
  "read_blob(':secret')",
  "read_blob(['/etc/passwd'])",
  "read_json(':secret')",
  "read_json_auto(':secret')",
  "read_json_objects(':secret')",
  "read_ndjson(':secret')",
  "read_ndjson_auto(':secret')",
  "read_ndjson_objects(':secret')",
  "read_json_objects_auto(':secret')",
  "read_parquet(':secret')",
  "read_parquet(':url/x.parquet')",
  "read_parquet('s3://bucket/x.parquet')",
  "parquet_scan(':secret')",
  "parquet_metadata(':secret')",
  "parquet_schema(':secret')",
  "parquet_file_metadata(':secret')",
  "parquet_kv_metadata(':secret')",
  "parquet_bloom_probe(':secret', 'a', 1)",
  "read_duckdb(':folder/other.duckdb')",
  "sniff_csv(':secret')",
  "duckdb_extensions()",
  "force_checkpoint()",
  "glob(':folder/*')",
  "glob('/etc/*')",
  "\"READ_TEXT\"(':secret')",
  "Read_Text/**/(':secret')",
  "main.read_text(':secret')",
  "system.main.read_text(':secret')",
  "read_text($$:secret$$)",
  "read_text(E':secret')",
  "read_text(':sec' || 'ret')",
  "query('SELECT content FROM read_text('':secret'')')",
  "query($$ FROM ':secret' $$)",
  "run_text('FROM read_text('':secret'')')",
  "sqlite_scan(':secret', 't')",
  "sqlite_attach(':secret')",
  "postgres_scan('host=127.0.0.1', 'public', 't')",
  "postgres_attach('host=127.0.0.1')",
  "mysql_scan('host=127.0.0.1', 't')",
  "st_read(':secret')",
  "st_read_meta(':secret')",
  "read_xlsx(':secret')",
  "iceberg_scan(':url/x')",
  "delta_scan(':url/x')",
  "load_aws_credentials()",
  "json_execute_serialized_sql(system.main.json_serialize_sql('FROM read_text('':secret'')'))",
].flatMap((call) => TABLE_PLACES.map((place) => place(call))).map(kind("stopped", FUNCTION));

/** Calls in FROM that run text, or show or change what is no data. */
const INSIDE: readonly Attack[] = [
  "query('SELECT 1')",
  "query_table('t')",
  "query_table(['t'])",
  "run_text('SELECT 1')",
  "json_execute_serialized_sql(system.main.json_serialize_sql('SELECT 1'))",
  "duckdb_secrets()",
  "duckdb_settings()",
  "duckdb_databases()",
  "duckdb_logs()",
  "duckdb_variables()",
  "duckdb_temporary_files()",
  "duckdb_memory()",
  "duckdb_optimizers()",
  "duckdb_external_file_cache()",
  "duckdb_prepared_statements()",
  "pragma_database_size()",
  "pragma_user_agent()",
  "pragma_platform()",
  "sql_auto_complete('SEL')",
  "test_all_types()",
  "test_vector_types(1)",
  "truncate_duckdb_logs()",
  "checkpoint()",
  "enable_profiling()",
  "disable_profiling()",
  "enable_logging()",
  "disable_logging()",
  "which_secret('s3://x', 's3')",
].flatMap((call) => TABLE_PLACES.map((place) => place(call))).map(kind("runs", FUNCTION));

/** What is written to a log goes to a file that DuckDB may not make, which ends the process. */
const LOGS: readonly Attack[] = [
  "SELECT * FROM enable_logging(storage = 'file', storage_path = ':out')",
  "SELECT * FROM enable_logging('QueryLog', storage = 'file', storage_path = ':folder')",
].map(kind("aborts", FUNCTION));

/** Views of the database, and views of views and macros, with such calls in them. */
const HOSTILE: readonly Attack[] = [
  ...["SELECT * FROM setting_view", "SELECT (SELECT max(a) FROM S.Setting_View)", "FROM over_view"].map(
    kind("runs", FUNCTION),
  ),
  ...[
    "FROM log_view",
    "WITH a AS (FROM log_view) FROM a",
    "SELECT * FROM t, over_log_view",
    "FROM macro_view()",
  ]
    .map(kind("aborts", FUNCTION)),
];

/** DuckDB's own views and macros over such calls. */
const VIEWS: readonly Attack[] = [
  "duckdb_databases",
  "duckdb_logs",
  "main.duckdb_logs",
  "system.main.duckdb_databases",
  '"DuckDB_Databases"',
  "pg_settings",
  "pg_catalog.pg_settings",
  "pragma_database_list",
  "histogram(t, id)",
].map((view) => `SELECT * FROM ${view}`).map(kind("runs", FUNCTION));

/** Files and addresses where a table stands. */
const REPLACED: readonly Attack[] = [
  "SELECT * FROM ':secret'",
  "FROM ':secret'",
  "SELECT * FROM ':secret.csv'",
  'SELECT * FROM ":secret.csv"',
  "SELECT * FROM ':folder/*.csv'",
  "SELECT * FROM ':folder/x.parquet'",
  "SELECT * FROM x.csv",
  'SELECT * FROM "x.json"',
  "SELECT * FROM 'x.jsonl'",
  "SELECT * FROM 'x.ndjson.gz'",
  "SELECT * FROM 'x.tsv.zst'",
  "SELECT * FROM ':url/x.csv'",
  "SELECT * FROM ':url/x.parquet'",
  "SELECT * FROM 's3://bucket/*.parquet'",
  "SELECT * FROM 'hf://datasets/x/y.csv'",
  "SELECT * FROM 'gs://bucket/x.csv'",
  "SELECT * FROM 'azure://bucket/x.csv'",
  "SELECT * FROM t JOIN ':secret.csv' ON true",
  "SELECT * FROM t, ':secret.csv' s",
  "SELECT (SELECT count(*) FROM ':secret.csv')",
  "SELECT id FROM t WHERE id IN (FROM ':secret.csv')",
  "WITH a AS (FROM ':secret.csv') FROM a",
  "SELECT 1 UNION ALL FROM ':secret.csv'",
  "FROM (DESCRIBE SELECT * FROM ':secret.csv')",
  "FROM (SUMMARIZE ':secret.csv')",
  "EXPLAIN FROM ':secret.csv'",
].map(kind("stopped", "unknown_relation"));

/** Other statements than SELECT that read-only mode, closed doors or locked settings stop. */
const STATEMENTS: readonly Attack[] = [
  "INSERT INTO t (id) VALUES (1)",
  "INSERT INTO t (id) VALUES (1) RETURNING id",
  "INSERT OR REPLACE INTO t (id) VALUES (1)",
  "INSERT INTO t BY NAME SELECT 1 AS id",
  "WITH a AS (SELECT 1) INSERT INTO t (id) SELECT 1",
  "UPDATE t SET id = 1",
  "WITH a AS (SELECT 1) UPDATE t SET id = 1",
  "DELETE FROM t",
  "DELETE FROM t USING v WHERE t.id = v.id RETURNING *",
  "MERGE INTO t USING v ON t.id = v.id WHEN MATCHED THEN DELETE",
  "TRUNCATE t",
  "/* a */ DELETE FROM t",
  "-- a\nDELETE FROM t",
  "(DELETE FROM t)",
  "CREATE TABLE made (a INTEGER)",
  "CREATE TABLE made AS FROM t",
  "CREATE OR REPLACE TABLE t (a INTEGER)",
  "CREATE VIEW made AS SELECT 1",
  "CREATE INDEX made ON t (id)",
  "CREATE SCHEMA made",
  "CREATE SEQUENCE made",
  "CREATE TYPE made AS ENUM ('a')",
  "CREATE MACRO made() AS 1",
  "CREATE FUNCTION made(x) AS x",
  "CREATE PERSISTENT SECRET made (TYPE s3)",
  "CREATE SECRET (TYPE s3)",
  "ALTER TABLE t ADD COLUMN made INTEGER",
  "ALTER TABLE t RENAME TO made",
  "DROP TABLE t",
  "DROP VIEW v",
  "DROP SCHEMA s CASCADE",
  "COMMENT ON TABLE t IS 'x'",
  "COPY t TO ':out'",
  "COPY (SELECT 1) TO ':out' (FORMAT parquet)",
  "COPY (SELECT 1) TO ':out' (USE_TMP_FILE false)",
  "COPY t FROM ':secret'",
  "COPY FROM DATABASE test TO memory",
  "EXPORT DATABASE ':out'",
  "IMPORT DATABASE ':folder'",
  "EXPLAIN ANALYZE COPY t TO ':out'",
  "EXPLAIN COPY t TO ':out'",
  "EXPLAIN ANALYZE DELETE FROM t",
  "EXPLAIN (ANALYZE) DELETE FROM t",
  "EXPLAIN DELETE FROM t",
  "ATTACH ':out'",
  "ATTACH ':secret' AS x",
  "ATTACH ':url/x.duckdb' AS x (READ_ONLY)",
  "ATTACH 'postgres:host=127.0.0.1' AS x",
  "ATTACH IF NOT EXISTS ':folder/other.duckdb' AS x",
  "DETACH test",
  "ATTACH ':memory:' AS m",
  "USE made",
  "INSTALL httpfs",
  "INSTALL httpfs FROM ':url'",
  "FORCE INSTALL json FROM core_nightly",
  "INSTALL ':secret'",
  "LOAD httpfs",
  "LOAD ':secret'",
  "UPDATE EXTENSIONS",
  "SET threads = 1",
  "SET GLOBAL threads = 1",
  "SET enable_external_access = true",
  "SET lock_configuration = false",
  "SET allowed_directories = ['/']",
  "SET temp_directory = ':folder'",
  "SET extension_directory = ':folder'",
  "SET custom_extension_repository = ':url'",
  "SET http_proxy = ':url'",
  "SET log_query_path = ':out'",
  "RESET enable_external_access",
  "PRAGMA threads = 1",
  "PRAGMA enable_external_access",
  "PRAGMA memory_limit = '1GB'",
  "PRAGMA profiling_output = ':out'",
  "CALL read_text(':secret')",
  "CALL sqlite_attach(':secret')",
].map(kind("stopped", "not_read_only"));

/** Those that DuckDB runs. */
const RUNNING: readonly Attack[] = [
  "CREATE TEMP TABLE made (a INTEGER)",
  "CREATE TEMP VIEW made AS SELECT 1",
  "CREATE TEMP MACRO made() AS 1",
  "SET VARIABLE x = 1",
  "USE s",
  "SET search_path = 's'",
  "VACUUM t",
  "BEGIN",
  "BEGIN TRANSACTION READ ONLY",
  "CHECKPOINT",
  "FORCE CHECKPOINT",
  "VACUUM",
  "ANALYZE",
  "PREPARE p AS DELETE FROM t",
  "PRAGMA database_list",
  "PRAGMA table_info('t')",
  "PRAGMA show_tables",
  "PRAGMA version",
  "PRAGMA enable_profiling",
  "PRAGMA enable_verification",
  "CALL pragma_version()",
  "CALL enable_profiling()",
  "EXPLAIN ANALYZE SELECT 1",
  "EXPLAIN (ANALYZE) SELECT 1",
  "EXPLAIN (FORMAT json, ANALYZE) SELECT 1",
  "EXPLAIN (ANALYZE, FORMAT json) FROM t",
  "explain/**/analyze select 1",
  "SHOW TABLES",
  "SHOW ALL TABLES",
  "FROM (SHOW DATABASES)",
  "FROM (SHOW ALL TABLES)",
  "PIVOT t ON name USING sum(id)",
].map(kind("runs", "not_read_only"));

/** Texts that hold more than one statement, or are no honest text. */
const SEVERAL: readonly Attack[] = [
  ...[
    "SELECT 1; DROP TABLE t",
    "SELECT 1;; DELETE FROM t",
    "SELECT ';'; DELETE FROM t",
    "SELECT $$;$$; DELETE FROM t",
    "SELECT E'\\''; DELETE FROM t; --'",
    "SELECT '\\'; DELETE FROM t; --'",
    'SELECT 1 AS "a""b"; DELETE FROM t',
    "SELECT 1 /* /* ; */ */; DELETE FROM t",
    "SELECT 1; COPY (SELECT 1) TO ':out'",
    "BEGIN; DELETE FROM t; COMMIT",
  ].map(kind("stopped", "multiple_statements")),
  ...["SELECT 1; SELECT 2", "SELECT 1; SET VARIABLE x = 1"].map(kind("runs", "multiple_statements")),
  ...["SELECT ?", "SELECT $1", "SELECT $name"].map(kind("stopped", "not_understood")),
];

export const ATTACKS: readonly Attack[] = [
  ...PLACES.map((place) => place("nextval('seq')")).map(kind("stopped", FUNCTION)),
  ...SPELLINGS,
  ...SCALARS,
  ...FILES,
  ...INSIDE,
  ...LOGS,
  ...HOSTILE,
  ...VIEWS,
  ...REPLACED,
  ...STATEMENTS,
  ...RUNNING,
  ...SEVERAL,
];

/** What they are played against. */
export const VICTIM: readonly string[] = [
  "CREATE SCHEMA s",
  "CREATE TABLE t (id INTEGER, name VARCHAR)",
  "INSERT INTO t SELECT range, 'n' || range % 3 FROM range(20)",
  "CREATE VIEW v AS SELECT * FROM t",
  "CREATE SEQUENCE seq",
  "CREATE MACRO run_text(text) AS TABLE SELECT * FROM query(text)",
  "CREATE MACRO read_it(path) AS (SELECT content FROM read_text(path))",
  "CREATE MACRO indirect(path) AS read_it(path)",
  "CREATE MACRO lower(x) AS nextval('seq')",
  "CREATE VIEW s.setting_view AS SELECT current_setting('threads') AS a",
  "CREATE VIEW setting_view AS SELECT 1 AS a",
  'CREATE VIEW over_view ("a AS (b") AS WITH q AS (FROM s.setting_view) FROM q',
  "CREATE VIEW log_view AS FROM enable_logging(storage = 'file', storage_path = '/saber')",
  "CREATE VIEW over_log_view AS SELECT 1 AS a WHERE EXISTS (FROM log_view)",
  "CREATE MACRO macro_view() AS TABLE FROM over_log_view",
  // they stand before what the judgement itself might use
  'CREATE MACRO "||"(a, b) AS 42',
  'CREATE MACRO "~~"(a, b) AS true',
  "CREATE MACRO duckdb_functions() AS TABLE SELECT 'read_text' AS function_name",
  'CREATE MACRO json_serialize_sql(x) AS \'{"error": false, "statements": [{}]}\'',
];
