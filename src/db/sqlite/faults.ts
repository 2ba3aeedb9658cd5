/**
 * SQLite's failures as Faults. SQLite's own words go where modes can decide about them, never into the sentence.
 */
import { Fault, type FaultCode, type ServerText } from "../../base/fault.ts";
import type { Failure } from "../sqlite_child/protocol.ts";

type Meaning = readonly [code: FaultCode, sentence: string];

const CANNOT = "Cannot run the statement:";

const LEFT_OPEN = "a program that wrote to the file was interrupted. Open the file once with write access.";
const NO_FOLDER =
  "the file is in WAL mode, which needs a folder that can be written to. Make it so, or copy the file.";

/** By primary result code: https://sqlite.org/rescode.html. */
const BY_CODE: { readonly [code: number]: Meaning } = {
  3: ["permission_denied", `${CANNOT} reading the file is not permitted. Check its permissions.`],
  5: ["busy", `${CANNOT} another process has locked the file. Try again when it has finished.`],
  6: ["busy", `${CANNOT} another statement has locked the table. Try again when it has finished.`],
  7: ["too_large", `${CANNOT} it needs more memory than there is. Select less at once.`],
  8: ["not_read_only", `${CANNOT} it would change the database, which is open for reading.`],
  10: ["database_error", `${CANNOT} reading the file failed. Check the disk it is on.`],
  11: ["database_error", `${CANNOT} the file is damaged. Restore it from a copy.`],
  13: ["database_error", `${CANNOT} the disk is full. Make room on it.`],
  14: ["bad_target", `${CANNOT} the file can't be opened. Check that it exists and its permissions.`],
  18: ["too_large", `${CANNOT} a value or the statement is too long. Select less at once.`],
  19: ["constraint", `${CANNOT} it breaks a constraint of a table. Nothing was changed.`],
  23: ["not_read_only", `${CANNOT} it asks for more than this session may do. Leave out what does not read.`],
  26: ["bad_target", `${CANNOT} the file is not a SQLite database, or it is encrypted.`],
};

/** By extended result code, where it says more than the primary one. */
const BY_EXTENDED_CODE: { readonly [code: number]: Meaning } = {
  264: ["bad_target", `${CANNOT} ${LEFT_OPEN}`],
  776: ["bad_target", `${CANNOT} ${LEFT_OPEN}`],
  1288: ["bad_target", `${CANNOT} ${NO_FOLDER}`],
  1544: ["bad_target", `${CANNOT} ${NO_FOLDER}`],
};

const OTHER: Meaning = ["database_error", `${CANNOT} SQLite reported an error.`];

/** For SQLite's code 1, which is the rest, and for failures while rows are read, which come without a code. */
const BY_TEXT: readonly { readonly text: RegExp; readonly meaning: Meaning }[] = [
  {
    text: /^no such table/,
    meaning: ["unknown_relation", `${CANNOT} it names a table that does not exist. List the tables.`],
  },
  {
    text: /^no such column|^table .* has no column named/s,
    meaning: [
      "unknown_column",
      `${CANNOT} it names a column that does not exist. Look at the table's columns.`,
    ],
  },
  {
    text: /syntax error$|^unrecognized token|^incomplete input/,
    meaning: ["syntax_error", `${CANNOT} it is not valid SQLite SQL. Correct it.`],
  },
  {
    text: /^not authorized to use function|^not authorized$/,
    meaning: ["forbidden_function", `${CANNOT} it uses a function that is not allowed here. Leave it out.`],
  },
  ...([
    [/^no such function/, "it calls a function that SQLite does not have. Use another one."],
    [/^wrong number of arguments/, "a function in it takes other arguments. Look at how it is called."],
    [/^ambiguous column name/, "the name of a column fits several tables. Put the table's name before it."],
    [
      /^misuse of (?:aggregate|window)/,
      "an aggregate or window function stands where none may, such as in WHERE.",
    ],
    [
      /^(?:sub-select returns|SELECTs to the left|all VALUES must|row value misused)/,
      "the numbers of columns differ. Select as many on each side.",
    ],
    [/ (?:ORDER|GROUP) BY term /, "a term of ORDER BY or GROUP BY fits no column of the result."],
    [/^integer overflow/, "a whole number is out of range. Cast it to REAL."],
    [/^malformed JSON/, "a text that should be JSON is not. Leave such rows out with json_valid()."],
  ] as const).map(([text, state]) => ({ text, meaning: ["database_error", `${CANNOT} ${state}`] as const })),
  {
    text: /may not be modified$/,
    meaning: ["permission_denied", `${CANNOT} it changes a table that SQLite keeps for itself.`],
  },
  { text: /^database is locked/, meaning: BY_CODE[5] ?? OTHER },
  { text: /^database table is locked/, meaning: BY_CODE[6] ?? OTHER },
  { text: /^out of memory/, meaning: BY_CODE[7] ?? OTHER },
  { text: /^attempt to write a readonly database/, meaning: BY_CODE[8] ?? OTHER },
  { text: /^disk I\/O error/, meaning: BY_CODE[10] ?? OTHER },
  { text: /^database disk image is malformed/, meaning: BY_CODE[11] ?? OTHER },
  { text: /^database or disk is full/, meaning: BY_CODE[13] ?? OTHER },
  { text: /^unable to open database/, meaning: BY_CODE[14] ?? OTHER },
  { text: /^string or blob too big/, meaning: BY_CODE[18] ?? OTHER },
  { text: /constraint failed/, meaning: BY_CODE[19] ?? OTHER },
  {
    text: /^(not authorized|authorization denied|access to .* is prohibited)/s,
    meaning: BY_CODE[23] ?? OTHER,
  },
];

export function toFault(failure: Failure): Fault {
  const [code, sentence] = meaning(failure);
  const server: ServerText | undefined = failure.message === "" ? undefined : {
    message: failure.message,
    ...failure.code > 0 ? { state: String(failure.code) } : {},
    ...failure.position === undefined ? {} : { position: failure.position },
  };
  return new Fault(code, sentence, server === undefined ? {} : { server });
}

function meaning(failure: Failure): Meaning {
  switch (failure.kind) {
    case "several":
      return ["multiple_statements", `${CANNOT} it is more than one statement. Send them one by one.`];
    case "empty":
      return ["syntax_error", `${CANNOT} there is none in the text. Send one statement.`];
    case "nul":
      return ["syntax_error", `${CANNOT} it holds a NUL character. Take it out.`];
    case "cut":
      return ["not_understood", `${CANNOT} its RETURNING is not understood. Write it plainly.`];
    case "unasked":
      return BY_CODE[23] ?? OTHER;
    case "too_large":
      return ["too_large", `${CANNOT} a row is too large. Select fewer or shorter columns.`];
    case "stopped":
      return ["cancelled", "The statement was stopped."];
    case "sqlite":
      return sqliteMeaning(failure);
  }
}

function sqliteMeaning({ code, message }: Failure): Meaning {
  const primary = code & 0xff;
  if (primary > 1) return BY_EXTENDED_CODE[code] ?? BY_CODE[primary] ?? OTHER;
  return BY_TEXT.find(({ text }) => text.test(message))?.meaning ?? OTHER;
}
