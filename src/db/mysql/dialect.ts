/**
 * What is particular to MySQL and MariaDB, as data.
 */
import type { Dialect } from "../driver.ts";

export const DIALECT: Dialect = {
  name: "mysql",
  displayName: "MySQL",
  lexis: {
    nameQuotes: ["`"],
    textQuotes: ["'", '"'],
    backslash: "always",
    dollarQuotes: false,
    nestedComments: false,
    hashComments: true,
    dashCommentNeedsSpace: true,
    executableComments: true,
    pipesAreOr: true,
  },
  readWords: ["SELECT", "WITH", "VALUES"],
};
