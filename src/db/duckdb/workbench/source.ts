/**
 * The connections of people to one DuckDB instance. The instance, and with it the file, is given back when nobody has used it
 * for a while, so that other programs can open it.
 */
import type { DuckDBInstance } from "@duckdb/node-api";
import { settle } from "../../../base/settle.ts";
import type { WorkSession, WorkSource } from "../../workbench.ts";
import { Heartbeat } from "../heartbeat.ts";
import type { DuckDb } from "../library.ts";
import { DuckDbWorkSession } from "./session.ts";

/** Connections at once: a statement takes every core, and with more of them nothing else in this process gets its turn. */
const MAX_CONNECTIONS = 4;
/** How long an instance may lie unused, in milliseconds. */
const IDLE_MS = 30_000;
/** How long closing waits for statements that do not stop, in milliseconds. */
const CLOSE_MS = 900;

export interface SourceOptions {
  readonly api: DuckDb;
  readonly statementMs: number;
  readonly startup: readonly string[];
  /** For databases that have no read-only mode of their own. */
  readonly readsOnly: boolean;
  /** Throws Fault: bad_target, busy. */
  open(): Promise<DuckDBInstance>;
}

export class DuckDbSource implements WorkSource {
  readonly most = MAX_CONNECTIONS;
  readonly #options: SourceOptions;
  readonly #sessions = new Set<DuckDbWorkSession>();
  /** Connections that are being made. */
  readonly #connecting = new Set<Promise<unknown>>();
  readonly #heartbeat = new Heartbeat();
  #instance: Promise<DuckDBInstance> | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SourceOptions) {
    this.#options = options;
  }

  async connect(signal: AbortSignal): Promise<WorkSession> {
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    const connecting = this.#connect();
    this.#connecting.add(connecting);
    const session = await connecting.finally(() => this.#connecting.delete(connecting));
    try {
      await session.setUp(this.#options.startup, signal);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /** Closing an instance while a connection is open or being made would block the process, or end it. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await settle(this.#closeAll(), { ms: CLOSE_MS });
    this.#heartbeat.stop();
  }

  async #closeAll(): Promise<void> {
    await Promise.allSettled(this.#connecting);
    await Promise.all([...this.#sessions].map((session) => session.close()));
    const opening = this.#instance;
    this.#instance = undefined;
    const instance = await opening?.catch(() => undefined);
    if (this.#sessions.size === 0) instance?.closeSync();
  }

  async #connect(): Promise<DuckDbWorkSession> {
    const opening = this.#instance ??= this.#options.open();
    try {
      const instance = await opening;
      this.#heartbeat.start();
      const connection = await instance.connect();
      const session = new DuckDbWorkSession(connection, {
        ...this.#options,
        onEnd: () => this.#ended(session),
      });
      this.#sessions.add(session);
      return session;
    } catch (error) {
      // one that could not be opened is tried again by the next
      if (this.#instance === opening) this.#instance = undefined;
      throw error;
    }
  }

  #ended(session: DuckDbWorkSession): void {
    this.#sessions.delete(session);
    if (this.#sessions.size > 0) return;
    this.#idle = setTimeout(() => void this.#closeIdle(), IDLE_MS);
    Deno.unrefTimer(this.#idle);
  }

  async #closeIdle(): Promise<void> {
    if (this.#connecting.size === 0 && this.#sessions.size === 0) await this.close();
  }
}
