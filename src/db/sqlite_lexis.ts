/**
 * How SQLite divides text into tokens, as data: for the guard, and for the SQLite process.
 */
import type { Lexis } from "./driver.ts";

export const SQLITE_LEXIS: Lexis = {
  nameQuotes: ['"', "`", "["],
  textQuotes: ["'"],
  backslash: "never",
  dollarQuotes: false,
  nestedComments: false,
  hashComments: false,
  dashCommentNeedsSpace: false,
  executableComments: false,
  parameters: ["?", "$", "@", ":", "#"],
};
