/**
 * Where a table that is made may keep its rows: with the server's ordinary engines in the server's own folder. Others
 * reach files and servers elsewhere (CONNECT, FEDERATED, SPIDER, S3; DATA DIRECTORY).
 */
import { Fault } from "../../base/fault.ts";
import type { Statement } from "../statement.ts";

const ORDINARY = [
  "INNODB",
  "MYISAM",
  "ARIA",
  "MEMORY",
  "HEAP",
  "ARCHIVE",
  "ROCKSDB",
  "COLUMNSTORE",
  "NDB",
  "NDBCLUSTER",
];

/** A table, a column or an index of this name follows. */
const BEFORE_NAME = /^(?:TABLE|EXISTS|COLUMN|ADD|MODIFY|CHANGE|ALTER|RENAME|TO|AFTER|INDEX|VIEW|ON)$/;

/** Throws Fault `not_read_only`. */
export function refuseStorage(statement: Statement): void {
  if (!/^(?:CREATE|ALTER)$/.test(statement.word(0))) return;
  for (let at = 1; at <= statement.last && !/^(?:AS|SELECT|WITH|VALUES)$/.test(statement.word(at)); at++) {
    if (BEFORE_NAME.test(statement.word(at - 1)) || !isElsewhere(statement, at)) continue;
    throw new Fault(
      "not_read_only",
      "Cannot run the statement: its table would be kept outside of the server's own storage. Leave the option out.",
    );
  }
}

/** `ENGINE = CONNECT`, `CONNECTION = '…'`, `DATA DIRECTORY '…'`; the sign may be missing. */
function isElsewhere(statement: Statement, at: number): boolean {
  if (/^(?:DATA|INDEX)$/.test(statement.word(at)) && statement.word(at + 1) === "DIRECTORY") return true;
  const value = statement.mark(at + 1) === "=" ? at + 2 : at + 1;
  if (/^(?:CONNECTION|UNION)$/.test(statement.word(at))) return value === at + 2;
  const isEngine = /^(?:ENGINE|TYPE)$/.test(statement.word(at)) && statement.tokens[at]?.depth === 0;
  return isEngine && statement.canBeName(value) && !ORDINARY.includes(statement.word(value));
}
