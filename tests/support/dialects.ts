/**
 * The dialects as data, for tests of what is common to all engines and needs none of them.
 */
import type { Dialect } from "../../src/db/driver.ts";

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

export const SQLITE_DIALECT: Dialect = {
  name: "sqlite",
  displayName: "SQLite",
  lexis: { ...STANDARD, nameQuotes: ['"', "`", "["], parameters: ["?", "$", "@", ":", "#"] },
  readWords: ["SELECT", "WITH", "VALUES"],
};

export const DUCKDB_DIALECT: Dialect = {
  name: "duckdb",
  displayName: "DuckDB",
  lexis: { ...STANDARD, backslash: "e-prefix", dollarQuotes: true, nestedComments: true },
  readWords: ["SELECT", "WITH", "VALUES", "FROM"],
};

export const POSTGRES_DIALECT: Dialect = {
  name: "postgres",
  displayName: "PostgreSQL",
  lexis: { ...STANDARD, backslash: "e-prefix", dollarQuotes: true, nestedComments: true },
  readWords: ["SELECT", "WITH", "VALUES"],
};

export const MYSQL_DIALECT: Dialect = {
  name: "mysql",
  displayName: "MySQL",
  lexis: {
    ...STANDARD,
    nameQuotes: ["`"],
    textQuotes: ["'", '"'],
    backslash: "always",
    hashComments: true,
    dashCommentNeedsSpace: true,
    executableComments: true,
    pipesAreOr: true,
  },
  readWords: ["SELECT", "WITH", "VALUES"],
};
