/**
 * The program's own database (`saber.db` in the data folder): opening it, and the steps that bring an older one up to date.
 * What its tables are for is the stores' business.
 */
import type { DatabaseSync } from "node:sqlite";
import { Fault } from "../base/fault.ts";
import { pause } from "../base/pause.ts";

const FILE = "saber.db";
/** How long a write waits for another process's, and a read for the moments in which nobody may read, in milliseconds. */
const BUSY_MS = 5000;
/** How long until a write is tried again, in milliseconds. */
const RETRY_MS = 20;
/** SQLite's words for it. */
const BUSY = /locked|busy/;

/** Step N brings a database of version N to version N + 1. Steps are never changed once released. */
const STEPS = [
  `CREATE TABLE threads (
     id TEXT PRIMARY KEY,
     title TEXT NOT NULL,
     databases TEXT NOT NULL,
     selectors TEXT,
     model TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX threads_by_update ON threads (updated_at);
   CREATE TABLE turns (
     thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
     number INTEGER NOT NULL,
     messages TEXT NOT NULL,
     committed_at INTEGER NOT NULL,
     PRIMARY KEY (thread_id, number)
   ) STRICT, WITHOUT ROWID;`,
  `CREATE TABLE knowledge (
     id TEXT PRIMARY KEY,
     database TEXT NOT NULL,
     name TEXT NOT NULL,
     description TEXT NOT NULL,
     sql TEXT,
     source TEXT,
     created_at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX knowledge_by_database ON knowledge (database);`,
];

/** Opens the database in the folder, making both (0700, 0600) where they are missing. Throws Fault `unavailable`. */
export async function openSaberDb(folder: string): Promise<DatabaseSync> {
  const path = `${folder}/${FILE}`;
  try {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    (await Deno.open(path, { create: true, append: true, mode: 0o600 })).close();
    const { DatabaseSync } = await import("node:sqlite");
    const db = new DatabaseSync(path);
    db.exec("PRAGMA foreign_keys = ON");
    await whenFree(db, { work: () => db.exec("PRAGMA journal_mode = WAL") });
    await migrate(db);
    return db;
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw unavailable(`Cannot open the program's own database ${path}`, error);
  }
}

/** What is done when no other process writes. */
interface Write<Result> {
  work(): Result;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does the work, again and again while another process writes, for at most BUSY_MS. SQLite's own waiting would hold up the
 * whole program. Throws what the last try threw, also when the signal ends the waiting.
 */
async function whenFree<Result>(db: DatabaseSync, { work, signal }: Write<Result>): Promise<Result> {
  for (const end = Date.now() + BUSY_MS;;) {
    try {
      db.exec("PRAGMA busy_timeout = 0");
      return work();
    } catch (error) {
      const isOver = signal?.aborted || Date.now() > end;
      if (isOver || !isSqlite(error) || !BUSY.test(String(error))) throw error;
    } finally {
      db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    }
    await pause(RETRY_MS, signal);
  }
}

/** SQLite's own words for what is wrong; Deno tells no number here. */
const STATES: readonly (readonly [RegExp, string])[] = [
  [/not a database|malformed/, "it is damaged, or no SQLite database. Move it away, and a new one is made"],
  [BUSY, "another program holds it. Try again when that one is done"],
  [/disk is full/, "the disk is full. Free some space"],
];

function isSqlite(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
}

function unavailable(what: string, cause: unknown): Fault {
  const words = cause instanceof Error ? cause.message : "";
  const [, state] = STATES.find(([known]) => known.test(words)) ??
    [/./, "see that it and its folder can be written and that the disk has room"];
  return new Fault("unavailable", `${what}: ${state}.`, { cause });
}

/** Whether the database is in the folder. */
export async function hasSaberDb(folder: string): Promise<boolean> {
  return await Deno.stat(`${folder}/${FILE}`).then(({ isFile }) => isFile, () => false);
}

async function migrate(db: DatabaseSync): Promise<void> {
  if (version(db) === STEPS.length) return;
  const work = () => {
    const from = version(db);
    if (from > STEPS.length) {
      throw new Fault(
        "unavailable",
        "The program's own database was written by a newer version. Update saber.",
      );
    }
    for (const step of STEPS.slice(from)) db.exec(step);
    db.exec(`PRAGMA user_version = ${STEPS.length}`);
  };
  await inTransaction(db, { work });
}

function version(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA user_version").get()?.user_version);
}

/**
 * Runs the work in a transaction that takes the write lock first; whatever it throws undoes it. While another process has
 * the lock it waits, for at most five seconds and until the signal is aborted, and holds up nothing else. Throws Fault
 * `unavailable` where the database cannot be written.
 */
export async function inTransaction<Result>(
  db: DatabaseSync,
  { work, signal }: Write<Result>,
): Promise<Result> {
  try {
    return await whenFree(db, { work: () => transact(db, work), signal });
  } catch (error) {
    throw isSqlite(error) ? unavailable("Cannot write to the program's own database", error) : error;
  }
}

function transact<Result>(db: DatabaseSync, work: () => Result): Result {
  try {
    db.exec("BEGIN IMMEDIATE");
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK"); // SQLite undoes some by itself
    throw error;
  }
}
