/**
 * What is peculiar to SQLite's SQL, as data. SQLite judges a statement when it compiles it, so there is no parser here.
 */
import type { Dialect } from "../driver.ts";

export const SQLITE: Dialect = {
  name: "sqlite",
  displayName: "SQLite",
  lexis: {
    nameQuotes: ['"', "`", "["],
    textQuotes: ["'"],
    backslash: "never",
    dollarQuotes: false,
    nestedComments: false,
    hashComments: false,
    dashCommentNeedsSpace: false,
    executableComments: false,
    parameters: ["?", "$", "@", ":", "#"],
  },
  readWords: ["SELECT", "WITH", "VALUES"],
};
