/**
 * What MySQL and MariaDB, the library and the system report, as Faults: error numbers become codes, the server's words
 * are kept apart. Messages never hold a host, a user, a password or a server's text.
 */
import { Fault, type ServerText } from "../../base/fault.ts";
import { ConnectionProblem, connectionState, problemState } from "../connection_faults.ts";
import { LEAVING, meaningOf } from "./error_numbers.ts";

/** By the code of the library. */
const CONNECTING: ReadonlyMap<string, string> = new Map([
  ["HANDSHAKE_NO_SSL_SUPPORT", "the server does not offer TLS. Check the TLS mode."],
  [
    "HANDSHAKE_SSL_ERROR",
    "TLS could not be set up: the server's certificate does not pass. Check the TLS mode and the " +
    "certificate authority.",
  ],
  [
    "MYSQL_CLEAR_PASSWORD_NOT_ENABLED",
    "the server asks for the password in clear text, which is sent over TLS alone and only if the connection allows it. " +
    "Allow it, with TLS, or give the user another way to log in.",
  ],
  ["AUTH_SWITCH_PLUGIN_ERROR", "the server asks for a way to log in that is not supported."],
]);

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
    const meaning = meaningOf(errno);
    const server: ServerText = {
      message: error.message,
      state: state || String(errno),
      ...sql === undefined ? {} : position(error.message, sql),
    };
    return new Fault(meaning.code, `Cannot ${doing}: ${meaning.says}`, { server });
  }
  const says = error instanceof ConnectionProblem
    ? problemState(error.message)
    : connectionState(error, { code, more: CONNECTING });
  return new Fault("unreachable", `Cannot ${doing}: ${says}`, { cause: error });
}

/** Whether the connection has ended or never was; then nothing more can be done on it. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof Fault) return error.code === "unreachable";
  const { errno } = details(error);
  return errno <= 0 || LEAVING.includes(errno);
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
