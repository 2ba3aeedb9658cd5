/**
 * What is peculiar to SQLite's SQL, as data. SQLite judges a statement when it compiles it, so there is no parser here.
 */
import type { Dialect } from "../driver.ts";
import { SQLITE_LEXIS } from "../sqlite_lexis.ts";

export const SQLITE: Dialect = {
  name: "sqlite",
  displayName: "SQLite",
  lexis: SQLITE_LEXIS,
  readWords: ["SELECT", "WITH", "VALUES"],
};
