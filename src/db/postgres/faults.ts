/**
 * What PostgreSQL, the library and the system report, as Faults: SQLSTATEs become codes, the server's words are kept
 * apart. Messages never hold a host, a user, a password or a server's text.
 */
import postgres from "postgres";
import { Fault, type FaultCode, type ServerText } from "../../base/fault.ts";
import { ConnectionProblem, connectionState, problemState } from "../connection_faults.ts";

interface Meaning {
  readonly code: FaultCode;
  /** What was found and what to do next, after "Cannot …: ". */
  readonly says: string;
}

/** What the statement's author can mend. */
function wrong(says: string): Meaning {
  return { code: "database_error", says };
}

const MISFIT = "a value does not fit its type. Cast it, or leave such rows out.";
const TYPES = "types in it do not fit each other. Cast one of them.";

/** By SQLSTATE, else by its class (PostgreSQL manual, appendix A). */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  "42601": { code: "syntax_error", says: "it has a syntax error. Correct it and run it again." },
  "42P01": { code: "unknown_relation", says: "a table or view in it does not exist. List the tables." },
  "3F000": { code: "unknown_relation", says: "a schema in it does not exist. List the tables." },
  "42703": { code: "unknown_column", says: "a column in it does not exist. Look at the table's columns." },
  "42501": { code: "permission_denied", says: "the database user lacks a right it needs." },
  "25006": { code: "not_read_only", says: "it would change the database, and the session only reads." },
  "57014": { code: "cancelled", says: "it was cancelled on the server." },
  "55P03": { code: "busy", says: "another session holds a lock it needs. Try again later." },
  "53300": { code: "busy", says: "the server has no free connection. Try again later." },
  "21000": wrong("a subquery in it gives more than one row. Use IN, an aggregate, or LIMIT 1."),
  "22003": wrong("a number is out of the range of its type. Cast to a wider one."),
  "22007": wrong(MISFIT),
  "22008": wrong(MISFIT),
  "22012": wrong("it divides by zero. Wrap the divisor in NULLIF(…, 0)."),
  "22P02": wrong(MISFIT),
  "42702": wrong("the name of a column fits several tables. Put the table's name before it."),
  "42712": wrong("two tables in it have one name. Give each an alias of its own."),
  "42803": wrong("a column is neither grouped by nor aggregated, or an aggregate stands where none may."),
  "42804": wrong(TYPES),
  "42846": wrong(TYPES),
  "42883": wrong("no function or operator takes arguments of these types. Check its name, and cast them."),
  "22025": { code: "bad_request", says: "the pattern ends in a backslash. Double it, or leave it out." },
  "3D000": { code: "bad_target", says: "the server has no database of that name. Check the name." },
  "57P03": { code: "unreachable", says: "the server is starting up or shutting down. Try again later." },
  "25P03": { code: "timeout", says: "nobody read its rows for too long. Run it again." },
  "23": { code: "constraint", says: "a constraint of the database forbids it." },
  "28": { code: "auth_failed", says: "the server refused the user or the password. Check both." },
  "22": wrong("a value in it cannot be computed with. Check casts and the arguments of functions."),
  "42": wrong("it breaks a rule of SQL. Check names, types and grouping."),
  "54": wrong("it is too large or too deep for the server. Make it simpler."),
  "08": { code: "unreachable", says: "the connection to the server failed. Try again." },
  "57": { code: "unreachable", says: "the server ended the connection. Try again." },
};

const OTHER: Meaning = {
  code: "database_error",
  says: "the database reported an error. Correct the statement, or look at the server's log.",
};

/** By the code of the library. */
const CONNECTING: ReadonlyMap<string, string> = new Map([
  ["UNKNOWN", "the encryption failed. Check the TLS mode and whether the server's certificate fits it."],
  ["CONNECT_TIMEOUT", "the server does not answer. Check the host, the port and the network."],
]);

/**
 * A failure to `doing` ("run the statement") as a Fault; a Fault stays as it is. `timeout` for the server's own
 * statement timeout.
 */
export function postgresFault(error: unknown, doing: string): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof postgres.PostgresError) return serverFault(error, doing);
  const problem = error instanceof ConnectionProblem ? error.message : certificateProblem(error);
  const says = problem === undefined
    ? connectionState(error, { code: codeOf(error), more: CONNECTING })
    : problemState(problem);
  return new Fault("unreachable", `Cannot ${doing}: ${says}`, { cause: error });
}

/** Whether the connection has ended or never was; then nothing more can be done on it. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof Fault) return error.code === "unreachable";
  return !(error instanceof postgres.PostgresError) || /^(08|57P)/.test(error.code);
}

/** Whether a query of ours failed because the server is none of PostgreSQL's own and knows less. */
export function lacksCatalog(error: unknown): boolean {
  return error instanceof postgres.PostgresError && /^(42|0A)/.test(error.code) && error.code !== "42501";
}

function serverFault(error: postgres.PostgresError, doing: string): Fault {
  const server = serverText(error);
  if (error.code === "57014" && /timeout/.test(error.message)) {
    return new Fault("timeout", `Cannot ${doing}: it took longer than allowed. Ask for less.`, { server });
  }
  const { code, says } = MEANINGS[error.code] ?? MEANINGS[error.code.slice(0, 2)] ?? OTHER;
  return new Fault(code, `Cannot ${doing}: ${says}`, { server, cause: error });
}

function serverText({ message, code, detail, hint, position }: Partial<postgres.PostgresError>): ServerText {
  return {
    message: message ?? "",
    ...code ? { state: code } : {},
    ...detail ? { detail } : {},
    ...hint ? { hint } : {},
    ...position ? { position: Number(position) } : {},
  };
}

/** By Node's codes (tls.connect, "X509 certificate error codes"), or by the words of Deno 2.7, which has no codes. */
function certificateProblem(error: unknown): string | undefined {
  const [, words] = /^invalid peer certificate: (.*)/.exec(error instanceof Error ? error.message : "") ?? [];
  const code = codeOf(error);
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID" || words?.startsWith("certificate not valid for name")) {
    return "the server's certificate is for another name";
  }
  return words !== undefined || /CERT|ISSUER|SIGNED/.test(code)
    ? "the server's certificate is not vouched for by the given authority"
    : undefined;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
