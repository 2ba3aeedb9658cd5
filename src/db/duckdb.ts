/**
 * DuckDB database files, and `:memory:`. A file is opened for reading alone unless the session may write; it is never
 * created, and given back when nobody uses it for a while.
 */
import { Fault } from "../base/fault.ts";
import { pause } from "../base/pause.ts";
import type { Database, DatabaseFile, Driver, OpenOptions, Target } from "./driver.ts";
import { Connections } from "./duckdb/connections.ts";
import { DuckDbDatabase } from "./duckdb/database.ts";
import { openInstance } from "./duckdb/instance.ts";
import { type DuckDb, loadDuckDb } from "./duckdb/library.ts";
import { isLocked, openFault } from "./duckdb/open_errors.ts";
import { lastPart } from "./paths.ts";

/** How long a file may lie unused before it is given back, in milliseconds. */
const IDLE_MS = 30_000;
/** How long another program's lock is waited for, in milliseconds, and how often it is tried. */
const PATIENCE_MS = 2_000;
const RETRY_MS = 100;

export const driver: Driver = {
  async open(target, options) {
    return await openDuckDb(databaseFile(target), { ...options, idleMs: IDLE_MS });
  },
};

/** Opens the file at once, to see that it can be. Throws Fault: bad_target, busy, timeout. */
export async function openDuckDb(
  target: DatabaseFile,
  { idleMs, access, timeoutMs }: OpenOptions & { readonly idleMs: number },
): Promise<Database> {
  const { path, excludeSchemas } = target;
  const isFile = path !== ":memory:";
  if (isFile) await checkFile(path);
  const api = await loadDuckDb();
  const open = (givenUp: AbortSignal) =>
    openPatiently(path, { api, readOnly: access === "read", timeoutMs, givenUp });
  const connections = new Connections(open, isFile ? { idleMs } : {});
  await connections.check({ ms: timeoutMs, what: `opening ${path}` });
  return new DuckDbDatabase(connections, { api, access, excludeSchemas, timeoutMs, ownViews: false });
}

function databaseFile(target: Target): DatabaseFile {
  if (target.engine === "duckdb") return target;
  throw new Fault("internal", `Cannot open a target of the engine ${target.engine} with DuckDB.`);
}

/** Every DuckDB file has `DUCK` behind an eight-byte checksum. */
async function checkFile(path: string): Promise<void> {
  const start = new Uint8Array(12);
  try {
    using file = await Deno.open(path);
    await file.read(start);
  } catch (error) {
    throw openFault(path, error);
  }
  if (new TextDecoder().decode(start.subarray(8)) !== "DUCK") {
    throw new Fault("bad_target", `Cannot open ${lastPart(path)}: it is not a DuckDB database.`);
  }
}

/** Another program that writes holds the file for itself; it may be done soon. */
async function openPatiently(
  path: string,
  { api, readOnly, timeoutMs, givenUp }: {
    api: DuckDb;
    readOnly: boolean;
    timeoutMs: number;
    givenUp: AbortSignal;
  },
) {
  const until = performance.now() + Math.min(PATIENCE_MS, timeoutMs / 2);
  for (;;) {
    try {
      return await openInstance({ api, path, readOnly });
    } catch (error) {
      if (!isLocked(error) || performance.now() >= until) throw openFault(path, error);
    }
    await pause(RETRY_MS, givenUp);
    givenUp.throwIfAborted();
  }
}
