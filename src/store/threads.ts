/**
 * Saved conversations: one row per thread and one per turn, so that a turn is there whole or not at all.
 * Result rows are not in here; messages hold their handles.
 */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { inTransaction } from "./saber_db.ts";
import { readMessages, type StoredMessage, writeMessages } from "./transcript.ts";

/** What a thread is about, as it was when its last turn was committed. */
export interface ThreadAbout {
  /** Names of the databases, the primary first. */
  readonly databases: readonly string[];
  /** Saved connections with which the thread can be resumed; null when one was given as a file or DSN, which is not kept. */
  readonly selectors: readonly string[] | null;
  /** `provider:id`. */
  readonly model: string;
}

export interface ThreadInfo extends ThreadAbout {
  readonly id: string;
  /** The first prompt. */
  readonly title: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly turns: number;
}

/** Where a conversation stands in the store; null before its first turn. */
export interface Place {
  readonly id: string;
  readonly turns: number;
}

/** One completed run, and what the thread is about from then on. */
export interface Added {
  /** The conversation before the run. */
  readonly before: readonly StoredMessage[];
  readonly turn: readonly StoredMessage[];
  readonly about: ThreadAbout;
  /** Ends the wait for another process that writes. */
  readonly signal?: AbortSignal;
}

export interface Commit {
  readonly place: Place;
  /** Another process has gone on with the thread, so that this conversation was kept as a new one. */
  readonly forked: boolean;
}

const SELECT = `SELECT t.*, (SELECT count(*) FROM turns WHERE thread_id = t.id) AS turns FROM threads t`;

export class ThreadStore {
  readonly #db: DatabaseSync;

  /** `db` is one of saber_db.ts. */
  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  find(id: string): ThreadInfo | undefined {
    const row = this.#db.prepare(`${SELECT} WHERE t.id = ?`).get(id);
    return row && toInfo(row);
  }

  /** All messages of a thread, in order. Throws for a turn that cannot be read. */
  messages(id: string): StoredMessage[] {
    const rows = this.#db.prepare("SELECT messages FROM turns WHERE thread_id = ? ORDER BY number").all(id);
    return rows.flatMap((row) => readMessages(String(row.messages)));
  }

  /**
   * Adds a turn in one transaction. Where the thread has grown or gone since `place` was read, or there is none yet, the
   * conversation becomes a new thread, with what came before in it, so that no side loses a turn.
   */
  async commit(place: Place | null, added: Added): Promise<Commit> {
    const work = () => {
      const found = place === null ? undefined : this.find(place.id);
      if (place && found?.turns === place.turns) return { place: this.#append(place, added), forked: false };
      const started = { id: this.#create(added), turns: 0 };
      const before = added.before.length === 0
        ? started
        : this.#append(started, { ...added, turn: added.before });
      return { place: this.#append(before, added), forked: place !== null };
    };
    return await inTransaction(this.#db, { work, signal: added.signal });
  }

  /** The latest threads first. */
  list(limit: number): ThreadInfo[] {
    return this.#db.prepare(`${SELECT} ORDER BY t.updated_at DESC, t.id LIMIT ?`).all(limit).map(toInfo);
  }

  /** Takes a thread over from elsewhere, with its id and times. False when there is one with that id already. */
  async adopt(
    info: Omit<ThreadInfo, "turns">,
    turns: readonly (readonly StoredMessage[])[],
  ): Promise<boolean> {
    const work = () => {
      if (this.find(info.id)) return false;
      const { id, title, databases, selectors, model, createdAt, updatedAt } = info;
      this.#db.prepare("INSERT INTO threads VALUES (?, ?, ?, ?, ?, ?, ?)")
        .run(id, title, JSON.stringify(databases), JSON.stringify(selectors), model, createdAt, updatedAt);
      const insert = this.#db.prepare("INSERT INTO turns VALUES (?, ?, ?, ?)");
      for (const [number, turn] of turns.entries()) insert.run(id, number, writeMessages(turn), updatedAt);
      return true;
    };
    return await inTransaction(this.#db, { work });
  }

  /** False when there is no such thread. */
  async remove(id: string): Promise<boolean> {
    const { changes } = await this.#write("DELETE FROM threads WHERE id = ?", id);
    return changes > 0;
  }

  /** Removes threads that nobody has gone on with since then (epoch milliseconds); how many. */
  async prune(before: number): Promise<number> {
    const { changes } = await this.#write("DELETE FROM threads WHERE updated_at < ?", before);
    return Number(changes);
  }

  /** The stored text of every turn, for finding what results they mention; also of turns that cannot be read. */
  *texts(): Generator<string> {
    for (const row of this.#db.prepare("SELECT messages FROM turns").iterate()) yield String(row.messages);
  }

  close(): void {
    this.#db.close();
  }

  async #write(sql: string, value: string | number) {
    return await inTransaction(this.#db, { work: () => this.#db.prepare(sql).run(value) });
  }

  #create({ before, turn, about }: Added): string {
    const id = crypto.randomUUID();
    const title = [...before, ...turn].find((message) => message.role === "user")?.content ?? "";
    const now = Date.now();
    this.#db.prepare("INSERT INTO threads VALUES (?, ?, ?, ?, ?, ?, ?)")
      .run(
        id,
        title,
        JSON.stringify(about.databases),
        JSON.stringify(about.selectors),
        about.model,
        now,
        now,
      );
    return id;
  }

  #append({ id, turns }: Place, { turn, about }: Added): Place {
    const now = Date.now();
    this.#db.prepare("INSERT INTO turns VALUES (?, ?, ?, ?)").run(id, turns, writeMessages(turn), now);
    this.#db.prepare(
      "UPDATE threads SET updated_at = ?, model = ?, databases = ?, selectors = ? WHERE id = ?",
    )
      .run(now, about.model, JSON.stringify(about.databases), JSON.stringify(about.selectors), id);
    return { id, turns: turns + 1 };
  }
}

function toInfo(row: Record<string, SQLOutputValue>): ThreadInfo {
  return {
    id: String(row.id),
    title: String(row.title),
    databases: names(row.databases) ?? [],
    selectors: names(row.selectors),
    model: String(row.model),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    turns: Number(row.turns),
  };
}

/** What cannot be read is no name: one damaged row must not hide the others from a list. */
function names(json: SQLOutputValue | undefined): string[] | null {
  try {
    const value: unknown = JSON.parse(String(json));
    return Array.isArray(value) ? value.map(String) : null;
  } catch {
    return null;
  }
}
