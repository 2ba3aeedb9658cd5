/**
 * The dialects of all engines, for tests of what is common to them.
 */
export { DUCKDB_DIALECT } from "../../src/db/duckdb/dialect.ts";
export { DIALECT as MYSQL_DIALECT } from "../../src/db/mysql/dialect.ts";
export { DIALECT as POSTGRES_DIALECT } from "../../src/db/postgres/dialect.ts";
export { SQLITE as SQLITE_DIALECT } from "../../src/db/sqlite/dialect.ts";
