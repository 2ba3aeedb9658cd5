/**
 * What MySQL and MariaDB, the library and the system report, as Faults: error numbers become codes, the server's words
 * are kept apart. Messages never hold a host, a user, a password or a server's text.
 */
import { Fault, type FaultCode, type ServerText } from "../../base/fault.ts";

/** A connection that could not be made, or has ended; `message` is a phrase of ours that may be shown. */
export class ConnectionProblem extends Error {}

interface Meaning {
  readonly code: FaultCode;
  /** What was found and what to do next, after "Cannot …: ". */
  readonly says: string;
}

const SYNTAX: Meaning = { code: "syntax_error", says: "it has a syntax error. Correct it and run it again." };
const NO_TABLE: Meaning = {
  code: "unknown_relation",
  says: "a table or view in it does not exist. List the tables.",
};
const NO_COLUMN: Meaning = {
  code: "unknown_column",
  says: "a column in it does not exist. Look at the table's columns.",
};
const NO_RIGHT: Meaning = { code: "permission_denied", says: "the database user lacks a right it needs." };
const ONLY_READS: Meaning = {
  code: "not_read_only",
  says: "it would change the database, and the session only reads.",
};
const TOO_LONG: Meaning = { code: "timeout", says: "it took longer than allowed. Ask for less." };
const LOCKED: Meaning = {
  code: "busy",
  says: "another session holds a lock it needs. Try again later.",
};
const FULL: Meaning = { code: "busy", says: "the server has no free connection. Try again later." };
const REFUSED: Meaning = {
  code: "auth_failed",
  says: "the server refused the user or the password. Check both.",
};
const CONSTRAINT: Meaning = { code: "constraint", says: "a constraint of the database forbids it." };
const LOST: Meaning = { code: "unreachable", says: "the connection to the server was lost. Run it again." };
const OTHER: Meaning = {
  code: "database_error",
  says: "the database reported an error. Correct the statement, or look at the server's log.",
};

/** By error number (MySQL's server error reference, and MariaDB's own from 1900 and 4000 on). */
const MEANINGS: Readonly<Record<number, Meaning>> = {
  1064: SYNTAX,
  1149: SYNTAX,
  1210: { code: "syntax_error", says: "it has a parameter without a value. Write the value itself." },
  1046: { code: "unknown_relation", says: "no database is selected. Write database.table." },
  1049: { code: "unknown_relation", says: "a database in it does not exist. List the tables." },
  1051: NO_TABLE,
  1109: NO_TABLE,
  1146: NO_TABLE,
  1054: NO_COLUMN,
  1044: NO_RIGHT,
  1142: NO_RIGHT,
  1143: NO_RIGHT,
  1227: NO_RIGHT,
  1370: NO_RIGHT,
  1290: NO_RIGHT,
  1836: NO_RIGHT,
  1792: ONLY_READS,
  1969: TOO_LONG,
  3024: TOO_LONG,
  1317: { code: "cancelled", says: "it was cancelled on the server." },
  1205: LOCKED,
  1213: { code: "busy", says: "it ran into a deadlock with another session. Run it again." },
  1040: FULL,
  1203: FULL,
  1226: FULL,
  1461: FULL,
  1045: REFUSED,
  1130: REFUSED,
  1251: REFUSED,
  1524: REFUSED,
  1698: REFUSED,
  1820: REFUSED,
  1862: REFUSED,
  1048: CONSTRAINT,
  1062: CONSTRAINT,
  1364: CONSTRAINT,
  1451: CONSTRAINT,
  1452: CONSTRAINT,
  1557: CONSTRAINT,
  1586: CONSTRAINT,
  3819: CONSTRAINT,
  4025: CONSTRAINT,
  1129: { code: "unreachable", says: "the server blocks this host after too many failed connections." },
  1053: LOST,
  1927: LOST,
  1153: { code: "too_large", says: "a value or the statement is larger than the server accepts." },
  1301: { code: "too_large", says: "a value is larger than the server accepts." },
};

/** By the code of a system error or of the library. */
const CONNECTING: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing accepts connections at that host and port. Check that the server runs.",
  ENOENT: "there is no such socket. Check that the server runs and where its socket is.",
  EACCES: "the socket may not be opened by this user.",
  ENOTFOUND: "the host name is unknown. Check its spelling.",
  ETIMEDOUT: "the server does not answer. Check the host, the port and the network.",
  EHOSTUNREACH: "the network has no way to that host. Check the host and the network.",
  ENETUNREACH: "the network has no way to that host. Check the host and the network.",
  HANDSHAKE_NO_SSL_SUPPORT: "the server does not offer TLS. Check the TLS mode.",
  HANDSHAKE_SSL_ERROR:
    "TLS could not be set up: the server's certificate does not pass. Check the TLS mode and the " +
    "certificate authority.",
  AUTH_SWITCH_PLUGIN_ERROR: "the server asks for a way to log in that is not supported.",
};

/** Errors that a server sends to a client it then leaves. */
const LEAVES = [1053, 1927, 1040, 1129, 4031];

/** What the library adds to its errors. */
interface Details {
  readonly code: string;
  readonly errno: number;
  readonly state: string;
}

/** A failure to `doing` ("run the statement") as a Fault; a Fault stays as it is. `sql` places a syntax error in it. */
export function mysqlFault(error: unknown, { doing, sql }: { doing: string; sql?: string }): Fault {
  if (error instanceof Fault) return error;
  const { code, errno, state } = details(error);
  if (errno > 0 && error instanceof Error) {
    const meaning = MEANINGS[errno] ?? OTHER;
    const server: ServerText = {
      message: error.message,
      state: state || String(errno),
      ...sql === undefined ? {} : position(error.message, sql),
    };
    return new Fault(meaning.code, `Cannot ${doing}: ${meaning.says}`, { server });
  }
  const says = error instanceof ConnectionProblem
    ? `${error.message}. Check the host, the port and the TLS mode.`
    : CONNECTING[isTimeout(error) ? "ETIMEDOUT" : code] ?? LOST.says;
  return new Fault("unreachable", `Cannot ${doing}: ${says}`, { cause: error });
}

/** Whether the connection has ended or never was; then nothing more can be done on it. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof Fault) return error.code === "unreachable";
  const { errno } = details(error);
  return errno <= 0 || LEAVES.includes(errno);
}

/** Why a statement was stopped from outside: the reason of an aborted signal. */
export function stopFault(reason: unknown): Fault {
  if (reason instanceof Fault) return reason;
  return isTimeout(reason)
    ? new Fault("timeout", `Cannot run the statement: ${TOO_LONG.says}`)
    : new Fault("cancelled", "The statement was cancelled.");
}

/** Whether the server can't encrypt. */
export function isMissingTls(error: unknown): boolean {
  return details(error).code === "HANDSHAKE_NO_SSL_SUPPORT";
}

/** The number of an error that the server sent; 0 for others. System errors have negative numbers. */
export function errorNumber(error: unknown): number {
  return Math.max(0, details(error).errno);
}

function details(error: unknown): Details {
  const found = { code: "", errno: 0, state: "" };
  if (!(error instanceof Error)) return found;
  if ("code" in error && typeof error.code === "string") found.code = error.code;
  if ("errno" in error && typeof error.errno === "number") found.errno = error.errno;
  if ("sqlState" in error && typeof error.sqlState === "string") found.state = error.sqlState;
  return found;
}

/** The server quotes the text from the fault on, at most 80 bytes of it, and counts lines. */
function position(message: string, sql: string): { position?: number } {
  const found = /near '([\s\S]*)' at line (\d+)$/.exec(message);
  if (found === null) return {};
  const [, near = "", line = "1"] = found;
  const lineStart = sql.split("\n").slice(0, Number(line) - 1).join("\n").length;
  const index = near === "" ? sql.length : sql.indexOf(near, lineStart);
  return index < 0 ? {} : { position: index + 1 };
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}
