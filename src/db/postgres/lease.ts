/**
 * A connection with a transaction begun on it. One in use may have died unseen since it was last used; then nothing of
 * the caller's was sent yet, and another one takes its place.
 */
import { Fault } from "../../base/fault.ts";
import { stopFault } from "../connection_faults.ts";
import type { Access } from "../driver.ts";
import type { SessionPool } from "../session_pool.ts";
import { isConnectionLoss } from "./faults.ts";
import type { Session, TextRow } from "./session.ts";
import type { Transactions } from "./transaction.ts";

export interface Source {
  readonly pool: SessionPool<Session>;
  readonly transactions: Transactions;
}

/** The caller ends the transaction and releases the session. Throws Fault when none can be had. */
export async function beginOnLive(
  source: Source,
  { access, signal }: { access: Access; signal: AbortSignal },
): Promise<Session> {
  for (;;) {
    const { session, isFresh } = await acquire(source, signal);
    try {
      await source.transactions.begin(session, { access, signal });
      return session;
    } catch (error) {
      session.destroy();
      source.pool.release(session);
      if (signal.aborted) throw stopFault(signal.reason);
      if (isFresh || !isConnectionLoss(error)) throw error;
    }
  }
}

async function acquire({ pool }: Source, signal: AbortSignal) {
  try {
    return await pool.acquire(signal);
  } catch (error) {
    throw error instanceof Fault ? error : stopFault(signal.reason);
  }
}

/** Asks a query of ours and gives all its rows. */
export type Ask = (query: string, parameters: readonly string[]) => Promise<readonly TextRow[]>;

/** Runs queries of ours in one read-only transaction. */
export async function reading<Result>(
  source: Source,
  { signal, use }: { signal: AbortSignal; use: (ask: Ask) => Promise<Result> },
): Promise<Result> {
  const session = await beginOnLive(source, { access: "read", signal });
  try {
    const result = await use((query, parameters) => session.rows(query, { parameters, signal }));
    await source.transactions.end(session, "ROLLBACK");
    return result;
  } catch (error) {
    session.destroy();
    throw signal.aborted ? stopFault(signal.reason) : error;
  } finally {
    source.pool.release(session);
  }
}
