/**
 * The connections of people to one DuckDB instance. The instance, and with it the file, is given back when nobody has used it
 * for a while, so that other programs can open it.
 */
import type { DuckDBInstance } from "@duckdb/node-api";
import type { WorkSession, WorkSource } from "../../workbench.ts";
import type { DuckDb } from "../library.ts";
import { DuckDbWorkSession } from "./session.ts";

/** How long an instance may lie unused, in milliseconds. */
const IDLE_MS = 30_000;
/** As in connections.ts: Deno 2.7 forgets timers around native work without one that recurs, in milliseconds. */
const HEARTBEAT_MS = Deno.version.deno.startsWith("2.7.") ? 50 : undefined;

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
  readonly #options: SourceOptions;
  #instance: Promise<DuckDBInstance> | undefined;
  #sessions = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;

  constructor(options: SourceOptions) {
    this.#options = options;
  }

  async connect(signal: AbortSignal): Promise<WorkSession> {
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    this.#sessions++;
    try {
      const instance = await (this.#instance ??= this.#options.open());
      if (HEARTBEAT_MS !== undefined) this.#heartbeat ??= setInterval(() => {}, HEARTBEAT_MS);
      const { startup } = this.#options;
      const session = new DuckDbWorkSession(await instance.connect(), {
        ...this.#options,
        onEnd: () => this.#ended(),
      });
      await session.setUp(startup, signal);
      return session;
    } catch (error) {
      if (this.#sessions === 1) await this.close();
      this.#ended();
      throw error;
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
    const opening = this.#instance;
    this.#instance = undefined;
    try {
      (await opening)?.closeSync();
    } catch {
      // an instance that could not be opened needs no closing
    }
  }

  #ended(): void {
    this.#sessions--;
    if (this.#sessions > 0) return;
    this.#idle = setTimeout(() => void this.close(), IDLE_MS);
    Deno.unrefTimer(this.#idle);
  }
}
