/**
 * The selected databases: each is opened at its first use, once, behind the guard, and all are closed together.
 */
import { Fault } from "../base/fault.ts";
import type { Permission } from "../base/permissions.ts";
import { settle } from "../base/settle.ts";
import type { Database, Dialect, OpenOptions, Target } from "./driver.ts";
import { type Engine, type Engines, loadGuard, LOADING } from "./registry.ts";

/** How long closing may take as a whole, in milliseconds; what hangs longer is left behind. */
const CLOSE_MS = 1000;

/** What is known of a database without opening it. */
export interface DatabaseInfo {
  readonly name: string;
  readonly dialect: Dialect["name"];
  readonly displayName: string;
  readonly description: string | null;
}

interface Entry {
  readonly info: DatabaseInfo;
  readonly target: Target;
  readonly engine: Engine;
}

/** The set of databases that tools and modes use. */
export class Databases {
  /** In the order of selection; the first is the primary. */
  readonly list: readonly DatabaseInfo[];
  /** The saved connections that were selected; null when one was not a saved one. */
  readonly selectors: readonly string[] | null;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #options: OpenOptions;
  readonly #open = new Map<string, Promise<Database>>();
  #isClosed = false;

  /** Throws Fault `bad_target` for a target whose engine this build lacks. */
  constructor(targets: readonly Target[], options: OpenOptions & { readonly engines: Engines }) {
    const entries = targets.map((target) => toEntry(target, options.engines));
    this.#entries = new Map(entries.map((entry) => [entry.info.name, entry]));
    this.list = entries.map((entry) => entry.info);
    this.selectors = targets.every((target) => target.saved) ? targets.map((target) => target.name) : null;
    this.#options = options;
  }

  /** What the databases need of the program besides reading files. */
  get needs(): readonly Permission[] {
    return [...this.#entries.values()].flatMap(({ engine }) => engine.needs);
  }

  /**
   * Loads now what would be loaded at the first use. Returns what the databases need from then on. Throws Fault `unavailable`.
   */
  async loadLibraries(): Promise<readonly Permission[]> {
    await Promise.all([...this.#entries.values()].map(({ engine }) => engine.loadLibrary?.()));
    return this.needs.filter((name) => !LOADING.includes(name));
  }

  /** Throws Fault: unknown_database, closed, and what opening throws; a failed opening is tried again by the next call. */
  async get(name: string): Promise<Database> {
    const entry = this.#entries.get(name);
    if (entry === undefined) {
      const known = this.list.map((info) => JSON.stringify(info.name)).join(", ");
      throw new Fault(
        "unknown_database",
        `Cannot use the database ${JSON.stringify(name)}: selected are ${known}.`,
      );
    }
    if (this.#isClosed) throw new Fault("closed", "Cannot use the database: the session has ended.");
    const opening = this.#open.get(name) ?? open(entry, this.#options);
    this.#open.set(name, opening);
    try {
      return await opening;
    } catch (error) {
      if (this.#open.get(name) === opening) this.#open.delete(name);
      throw error;
    }
  }

  /** Closes all, also those that are still being opened. Never throws. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const closing = [...this.#open.values()].map(async (opening) => await (await opening).close());
    this.#open.clear();
    await settle(Promise.allSettled(closing), { ms: CLOSE_MS });
  }
}

function toEntry(target: Target, engines: Engines): Entry {
  const engine = engines[target.engine];
  if (engine === undefined) {
    throw new Fault(
      "bad_target",
      `Cannot use the database: ${target.engine} is not supported by this build.`,
    );
  }
  const { displayName, dialect } = engine;
  const info = { name: target.name, dialect, displayName, description: target.description ?? null };
  return { info, target, engine };
}

async function open({ target, engine }: Entry, options: OpenOptions): Promise<Database> {
  const [{ driver }, { guard }] = await Promise.all([engine.load(), loadGuard()]);
  return guard(await driver.open(target, options), options);
}
