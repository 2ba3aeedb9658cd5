/**
 * What is particular to DuckDB's SQL, as data.
 */
import type { Dialect } from "../driver.ts";

/** Without `judge`, which needs an open database. */
export const DUCKDB_DIALECT: Dialect = {
  name: "duckdb",
  displayName: "DuckDB",
  lexis: {
    nameQuotes: ['"'],
    textQuotes: ["'"],
    backslash: "e-prefix",
    dollarQuotes: true,
    nestedComments: true,
    hashComments: false,
    dashCommentNeedsSpace: false,
    executableComments: false,
  },
  readWords: ["SELECT", "WITH", "VALUES", "FROM"],
};
