/**
 * The connections to one database: at most eight at once, over one DuckDB instance that is opened at need and given back
 * when nobody has used it for a while, so that other programs can write to the file.
 */
import type { DuckDBInstance } from "@duckdb/node-api";
import { abortable } from "../../base/abortable.ts";
import { Fault, toFault } from "../../base/fault.ts";
import { settle } from "../../base/settle.ts";
import type { Bound } from "../deadline.ts";
import { Clock } from "./clock.ts";
import { Heartbeat } from "./heartbeat.ts";
import { Lease } from "./lease.ts";

/** Statements at once; further ones wait for their turn. */
const MAX_LEASES = 8;
/** How long closing waits for statements that do not stop, in milliseconds. */
const CLOSE_MS = 900;

export interface ConnectionsOptions {
  /** Milliseconds without a statement after which the instance is closed; none: only `close` closes it. */
  readonly idleMs?: number;
}

export class Connections {
  readonly #openInstance: (givenUp: AbortSignal) => Promise<DuckDBInstance>;
  readonly #idleMs: number | undefined;
  readonly #connecting = new Set<Promise<Lease>>();
  readonly #leases = new Set<Lease>();
  readonly #turns: (() => void)[] = [];
  readonly #heartbeat = new Heartbeat();
  #taken = 0;
  #instance: Promise<DuckDBInstance> | undefined;
  #givingUp = new AbortController();
  #idle: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /** `openInstance` ends its waiting when `givenUp` is aborted: nobody needs the instance any more. */
  constructor(
    openInstance: (givenUp: AbortSignal) => Promise<DuckDBInstance>,
    { idleMs }: ConnectionsOptions = {},
  ) {
    this.#openInstance = openInstance;
    this.#idleMs = idleMs;
  }

  /** A connection of one's own, until its lease ends. Throws Fault: cancelled, closed, and what opening throws. */
  async lease(signal: AbortSignal): Promise<Lease> {
    await this.#turn(signal);
    clearTimeout(this.#idle);
    const connecting = this.#connect(signal);
    this.#connecting.add(connecting);
    try {
      return await connecting;
    } catch (error) {
      this.#release();
      throw signal.aborted ? toFault(signal.reason) : error;
    } finally {
      this.#connecting.delete(connecting);
    }
  }

  /** Opens the instance to see that it can be; where it cannot, closes all. Throws Fault: timeout, and what opening throws. */
  async check(bound: Bound): Promise<void> {
    const clock = new Clock(new AbortController().signal, bound);
    try {
      await (await this.lease(clock.signal)).end();
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      clock.stop();
    }
  }

  /** Never throws; what hangs in DuckDB for longer than a second is left behind. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const turn of this.#turns.splice(0)) turn();
    clearTimeout(this.#idle);
    await settle(this.#endAll(), { ms: CLOSE_MS });
    this.#heartbeat.stop();
  }

  /** Closing an instance while a connection to it is being made would end the process. */
  async #endAll(): Promise<void> {
    await Promise.allSettled(this.#connecting);
    await Promise.all([...this.#leases].map((lease) => lease.end()));
    await this.#closeInstance();
  }

  async #connect(signal: AbortSignal): Promise<Lease> {
    const instance = await abortable(this.#opened(), signal);
    const connection = await instance.connect();
    if (this.#isClosed) {
      connection.closeSync();
      throw closed();
    }
    const lease = new Lease(connection, { instance, signal, onEnd: () => this.#ended(lease) });
    this.#leases.add(lease);
    return lease;
  }

  async #turn(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw toFault(signal.reason);
    if (this.#taken >= MAX_LEASES) {
      const turn = Promise.withResolvers<void>();
      this.#turns.push(turn.resolve);
      try {
        await abortable(turn.promise, signal);
      } catch (error) {
        const at = this.#turns.indexOf(turn.resolve);
        if (at < 0) this.#release();
        else this.#turns.splice(at, 1);
        throw toFault(error);
      }
    } else this.#taken++;
    if (this.#isClosed) throw closed();
  }

  /** Hands the place on, or frees it. */
  #release(): void {
    const next = this.#turns.shift();
    if (next !== undefined) return next();
    this.#taken--;
    if (this.#taken === 0 && this.#idleMs !== undefined && !this.#isClosed) {
      this.#idle = setTimeout(() => this.#closeInstance(), this.#idleMs);
      Deno.unrefTimer(this.#idle);
    }
  }

  #ended(lease: Lease): void {
    this.#leases.delete(lease);
    this.#release();
  }

  /** One opening at a time; one that failed is tried again by the next statement. */
  #opened(): Promise<DuckDBInstance> {
    const opening = this.#instance ?? this.#openInstance(this.#givingUp.signal);
    this.#instance = opening;
    this.#heartbeat.start();
    opening.catch(() => {
      if (this.#instance !== opening) return;
      this.#instance = undefined;
      this.#heartbeat.stop();
    });
    return opening;
  }

  async #closeInstance(): Promise<void> {
    this.#heartbeat.stop();
    const opening = this.#instance;
    this.#instance = undefined;
    this.#givingUp.abort();
    this.#givingUp = new AbortController();
    try {
      (await opening)?.closeSync();
    } catch {
      // An instance that could not be opened needs no closing.
    }
  }
}

function closed(): Fault {
  return new Fault("closed", "Cannot use the database: it has been closed.");
}
