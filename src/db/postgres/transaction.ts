/**
 * The transaction around each statement: what the session may do and how its values are written. Everything is set
 * with SET LOCAL, so that nothing outlives the transaction and a pooler between us and the server loses nothing.
 */
import type { Access } from "../driver.ts";
import { Fault } from "../../base/fault.ts";
import { isConnectionLoss, postgresFault } from "./faults.ts";
import type { Session } from "./session.ts";

/** How long rows of a statement may stream; the server's own bound, should we be gone or our cancel not arrive. */
const STREAM_MS = 600_000;

/** How long a server may take to begin a transaction; a connection that has died unseen shows here. */
const BEGIN_MS = 5_000;

/** Each is left out on servers that do not know it. */
function wanted(timeoutMs: number): string[] {
  const longest = timeoutMs + STREAM_MS;
  return [
    `statement_timeout = ${longest}`,
    `idle_in_transaction_session_timeout = ${longest}`,
    // a vanished client ends a running statement (PostgreSQL 14)
    "client_connection_check_interval = 1000",
    // the judgement and the server must agree on where a text ends
    "standard_conforming_strings = on",
    "TimeZone = 'UTC'",
    "DateStyle = 'ISO'",
    "bytea_output = 'hex'",
    // the shortest digits that give the same number back, also before PostgreSQL 12
    "extra_float_digits = 3",
  ];
}

/** Begins and ends the transactions of one database, and remembers what its server understands. */
export class Transactions {
  readonly #timeoutMs: number;
  #settings: readonly string[] | undefined;

  /** `timeoutMs`: how long a statement may take until its first row. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Throws Fault, or a connection loss when the session has died. */
  async begin(session: Session, { access, signal }: { access: Access; signal: AbortSignal }): Promise<void> {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(BEGIN_MS)]);
    try {
      this.#settings ??= await this.#understood(session, bounded);
      await session.execute(head(access, this.#settings), bounded);
    } catch (error) {
      signal.throwIfAborted();
      throw postgresFault(error, "begin a transaction");
    }
    this.#requireStandardStrings(session);
  }

  /** Undoes what the transaction did, or makes it last. */
  async end(session: Session, how: "ROLLBACK" | "COMMIT"): Promise<void> {
    await session.execute(how, AbortSignal.timeout(how === "COMMIT" ? STREAM_MS : BEGIN_MS));
  }

  /** All settings, or those that work one by one when the server does not know them all. */
  async #understood(session: Session, signal: AbortSignal): Promise<readonly string[]> {
    const all = wanted(this.#timeoutMs);
    if (await accepts(session, { settings: all, signal })) return all;
    const some: string[] = [];
    for (const setting of all) {
      if (await accepts(session, { settings: [setting], signal })) some.push(setting);
    }
    return some;
  }

  #requireStandardStrings(session: Session): void {
    if (session.parameter("standard_conforming_strings") !== "off") return;
    throw new Fault(
      "database_error",
      "Cannot run the statement: the server reads backslashes in texts as escapes, and that cannot be switched off. " +
        "Set standard_conforming_strings to on for this user.",
    );
  }
}

async function accepts(
  session: Session,
  { settings, signal }: { settings: readonly string[]; signal: AbortSignal },
): Promise<boolean> {
  try {
    await session.execute(`${head("read", settings)}ROLLBACK`, signal);
    return true;
  } catch (error) {
    if (isConnectionLoss(error)) throw error;
    await session.execute("ROLLBACK", signal);
    return false;
  }
}

function head(access: Access, settings: readonly string[]): string {
  const mode = access === "read" ? "READ ONLY" : "READ WRITE";
  return `BEGIN TRANSACTION ${mode}; ${settings.map((setting) => `SET LOCAL ${setting}; `).join("")}`;
}
