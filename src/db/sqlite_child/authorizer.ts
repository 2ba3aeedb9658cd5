/**
 * What SQLite asks before it compiles each part of a user's statement, and the answer. It runs inside the SQLite process,
 * below every judgement of the text: what is refused here cannot be spelled in a way that passes.
 */
import type { Access } from "../driver.ts";

/** SQLite's numbers: https://sqlite.org/c3ref/c_alter_table.html and https://sqlite.org/c3ref/c_deny.html. */
const ACTION = {
  delete: 9,
  insert: 18,
  pragma: 19,
  read: 20,
  select: 21,
  transaction: 22,
  update: 23,
  attach: 24,
  detach: 25,
  function: 31,
  savepoint: 32,
  recursive: 33,
} as const;
export const ANSWER = { ok: 0, deny: 1 } as const;

/** The arguments that SQLite gives; what they mean depends on the action. */
export interface Ask {
  readonly action: number;
  readonly first: string | null;
  readonly second: string | null;
  /** SQLite runs the statement, it does not compile it: the asking is done by a table function, or by ALTER TABLE. */
  readonly isRunning: boolean;
}

/** Whether it is a call of one of these functions, whose names are lower case. */
export function isCall(
  { action, second }: Pick<Ask, "action" | "second">,
  names: readonly string[],
): boolean {
  return action === ACTION.function && second !== null && names.includes(second);
}

const READING = new Set<number>([
  ACTION.select,
  ACTION.read,
  ACTION.function,
  ACTION.recursive,
]);

/** Never, whatever the access: other files, the state of the connection, and the transaction that the program keeps. */
const NEVER = new Set<number>([
  ACTION.attach,
  ACTION.detach,
  ACTION.pragma,
  ACTION.transaction,
  ACTION.savepoint,
]);

/** PRAGMAs that change nothing; for users as table functions alone (`pragma_table_info('t')`). FTS5 asks for data_version. */
const HARMLESS_PRAGMAS = new Set([
  "collation_list",
  "compile_options",
  "data_version",
  "foreign_key_check",
  "foreign_key_list",
  "function_list",
  "index_info",
  "index_list",
  "index_xinfo",
  "integrity_check",
  "module_list",
  "quick_check",
  "table_info",
  "table_list",
  "table_xinfo",
]);

/** Functions that load code, touch files or show an address; some of them only other builds of SQLite have. */
const FORBIDDEN_FUNCTIONS = new Set([
  "edit",
  "fts3_tokenizer",
  "load_extension",
  "readfile",
  "writefile",
  "zipfile",
]);

export interface Rules {
  readonly access: Access;
  /** The names of all PRAGMAs of this SQLite, each of which is a table too. */
  readonly pragmas: ReadonlySet<string>;
}

const PREFIX = "pragma_";

function isPragmaTable(name: string, pragmas: ReadonlySet<string>): boolean {
  return name.startsWith(PREFIX) && pragmas.has(name.slice(PREFIX.length));
}

/** Whether a user's statement may do this. */
export function isAllowed(ask: Ask, { access, pragmas }: Rules): boolean {
  const name = (ask.action === ACTION.function ? ask.second : ask.first)?.toLowerCase() ?? "";
  switch (ask.action) {
    case ACTION.function:
      return !FORBIDDEN_FUNCTIONS.has(name);
    case ACTION.read:
      return !isPragmaTable(name, pragmas) || HARMLESS_PRAGMAS.has(name.slice(PREFIX.length));
    case ACTION.pragma:
      return (ask.isRunning || name === "data_version") && HARMLESS_PRAGMAS.has(name);
  }
  return READING.has(ask.action) || (access === "write" && !NEVER.has(ask.action));
}

/** Whether the action changes rows, as opposed to the schema, which is kept as rows of its own. */
export function isRowChange({ action, first }: Ask): boolean {
  const isChange = action === ACTION.insert || action === ACTION.update ||
    action === ACTION.delete;
  return isChange && first !== "sqlite_master" && first !== "sqlite_temp_master";
}

/** Whether the action only reads. */
export function isReading(action: number): boolean {
  return READING.has(action);
}
