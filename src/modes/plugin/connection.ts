/**
 * One connection of the host: the databases's sessions that its requests share, and those that its tabs keep. What is run
 * on them is the commands'.
 */
import { Fault } from "../../base/fault.ts";
import type { Work } from "../../db/work.ts";
import type { Workbench, WorkSession } from "../../db/workbench.ts";
import type { Row } from "../../db/values.ts";
import type { Settings } from "./settings.ts";
import { Tabs } from "./tabs.ts";

export class Connection {
  readonly settings: Settings;
  readonly tabs: Tabs;
  readonly #work: Work;
  #busy = 0;
  #pinging: Promise<unknown> | undefined;
  /** When it was last used, as Date.now() counts. */
  lastUse = Date.now();

  /** The database's name, where the engine has no other. */
  readonly name: string;

  constructor(work: Work, { settings, name }: { settings: Settings; name: string }) {
    this.name = name;
    this.#work = work;
    this.settings = settings;
    this.tabs = new Tabs(work, settings);
  }

  get workbench(): Workbench {
    return this.#work.workbench;
  }

  get work(): Work {
    return this.#work;
  }

  /** Nothing runs on it and no tab keeps a session. */
  get isIdle(): boolean {
    return this.#busy === 0 && this.tabs.isEmpty;
  }

  /** Does the work on a session of its own, which afterwards is as new. */
  async use<Result>(signal: AbortSignal, work: (session: WorkSession) => Promise<Result>): Promise<Result> {
    this.#busy++;
    try {
      const session = await this.#work.acquire(signal);
      try {
        return await work(session);
      } finally {
        void this.#work.release(session);
      }
    } finally {
      this.#busy--;
      this.lastUse = Date.now();
    }
  }

  /**
   * Asks whether the server answers; whoever asks meanwhile gets the same answer. While something runs, nothing is asked: if the
   * server is gone, what runs fails, and a question would wait behind what keeps the server busy. Throws Fault.
   */
  async ping(ms: number): Promise<void> {
    if (this.#pinging === undefined && (this.#busy > 0 || this.tabs.isRunning)) return;
    this.#pinging ??= this.ask(this.workbench.version, AbortSignal.timeout(ms)).finally(() =>
      this.#pinging = undefined
    );
    await this.#pinging;
  }

  /** All rows of a question. */
  async ask(sql: string, signal: AbortSignal): Promise<readonly Row[]> {
    return await this.use(signal, (session) => readAll(session, { sql, signal }));
  }

  /** The text of a definition in each row: servers name its column so, or give nothing else. */
  async askTexts(sql: string, signal: AbortSignal): Promise<readonly string[]> {
    return await this.use(signal, async (session) => {
      const cursor = await session.run(sql, signal);
      const named = cursor.columns.findIndex(({ name }) => /^(?:create |sql original)/i.test(name));
      const rows = (await Array.fromAsync(cursor.batches)).flat();
      return rows.map((row) => row.at(named) ?? null).filter((cell) => typeof cell === "string");
    });
  }

  /** Throws Fault `not_read_only` where nothing can be changed. */
  requireWritable(): void {
    if (!this.workbench.readsOnly) return;
    throw new Fault(
      "not_read_only",
      "Cannot change anything: the files are read-only. Write what you want to keep into a database.",
    );
  }

  /** Runs statements in a schema, all of them or none. */
  async change(
    statements: readonly string[],
    { schema, signal }: { schema: string | null; signal: AbortSignal },
  ): Promise<void> {
    this.requireWritable();
    const [only = "", ...others] = statements;
    const whole = others.length === 0 ? [only] : ["BEGIN", ...statements, "COMMIT"];
    await this.useIn(schema, signal, {
      work: async (session) => {
        for (const sql of whole) await execute(session, { sql, signal });
      },
    });
  }

  /** Does the work on a session of its own, in which names without a schema mean those of this one. */
  async useIn<Result>(
    schema: string | null,
    signal: AbortSignal,
    { work }: { work: (session: WorkSession) => Promise<Result> },
  ): Promise<Result> {
    return await this.use(signal, async (session) => {
      await this.enter(session, { schema, signal });
      return await work(session);
    });
  }

  /** Names without a schema mean those of this one from now on, until the session is reset. */
  async enter(
    session: WorkSession,
    { schema, signal }: { schema: string | null; signal: AbortSignal },
  ): Promise<void> {
    const sql = schema === null ? undefined : this.workbench.useSchema?.(schema);
    if (sql !== undefined) await execute(session, { sql, signal });
  }

  async close(): Promise<void> {
    await this.#work.close();
  }
}

interface Statement {
  readonly sql: string;
  readonly signal: AbortSignal;
}

/** All rows of a statement. */
export async function readAll(session: WorkSession, { sql, signal }: Statement): Promise<readonly Row[]> {
  const cursor = await session.run(sql, signal);
  return (await Array.fromAsync(cursor.batches)).flat();
}

/** Runs a statement to its end; the rows that it changed. */
export async function execute(session: WorkSession, { sql, signal }: Statement): Promise<number> {
  const cursor = await session.run(sql, signal);
  for await (const _ of cursor.batches);
  return cursor.affected ?? 0;
}
