/**
 * The dialects of all engines, for tests of what is common to them.
 */
import type { Dialect } from "../../src/db/driver.ts";

export { DUCKDB_DIALECT } from "../../src/db/duckdb/dialect.ts";
export { DIALECT as MYSQL_DIALECT } from "../../src/db/mysql/dialect.ts";
export { SQLITE as SQLITE_DIALECT } from "../../src/db/sqlite/dialect.ts";

const STANDARD = {
  nameQuotes: ['"'],
  textQuotes: ["'"],
  backslash: "never",
  dollarQuotes: false,
  nestedComments: false,
  hashComments: false,
  dashCommentNeedsSpace: false,
  executableComments: false,
} as const;

export const POSTGRES_DIALECT: Dialect = {
  name: "postgres",
  displayName: "PostgreSQL",
  lexis: { ...STANDARD, backslash: "e-prefix", dollarQuotes: true, nestedComments: true },
  readWords: ["SELECT", "WITH", "VALUES"],
};
