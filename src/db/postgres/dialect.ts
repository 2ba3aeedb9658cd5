/**
 * What is particular to PostgreSQL's language, as data.
 */
import type { Dialect } from "../driver.ts";

export const DIALECT: Dialect = {
  name: "postgres",
  displayName: "PostgreSQL",
  lexis: {
    nameQuotes: ['"'],
    textQuotes: ["'"],
    // standard_conforming_strings is switched on in every transaction
    backslash: "e-prefix",
    dollarQuotes: true,
    nestedComments: true,
    hashComments: false,
    dashCommentNeedsSpace: false,
    executableComments: false,
    values: ["USER", "CURRENT_ROLE", "CURRENT_CATALOG", "CURRENT_SCHEMA"],
  },
  readWords: ["SELECT", "WITH", "VALUES"],
};
