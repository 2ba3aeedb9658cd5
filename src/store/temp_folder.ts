/**
 * A private temporary folder that is gone when the process is. What a killed process left behind is swept by the next.
 */

const PREFIX = "saber-results-";
const LOCK = "lock";

export interface TempFolder {
  readonly path: string;
  /** Removes it with all that is in it. */
  close(): Promise<void>;
}

/** Makes a folder of mode 0700 whose lock file is held as long as this process lives. */
export async function makeTempFolder(): Promise<TempFolder> {
  const path = await Deno.makeTempDir({ prefix: PREFIX });
  const lock = await Deno.open(`${path}/${LOCK}`, { createNew: true, write: true, mode: 0o600 });
  await lock.lock(true);
  await sweep(path);
  return {
    path,
    close: async () => {
      lock.close();
      await Deno.remove(path, { recursive: true }).catch(() => {}); // the sweep removes what cannot be removed now
    },
  };
}

/** Removes the folders of processes that have ended. A folder that is in use, or not ours to touch, is left alone. */
async function sweep(own: string): Promise<void> {
  const parent = own.slice(0, own.lastIndexOf(PREFIX));
  for await (const entry of Deno.readDir(parent)) {
    const path = parent + entry.name;
    if (!entry.isDirectory || !entry.name.startsWith(PREFIX) || path === own) continue;
    try {
      if (await isAbandoned(path)) await Deno.remove(path, { recursive: true });
    } catch {
      continue;
    }
  }
}

/** A folder that was made just now may not be locked yet. */
const SETTLE_MS = 60_000;

async function isAbandoned(path: string): Promise<boolean> {
  const { mtime } = await Deno.stat(path);
  if (mtime && Date.now() - mtime.getTime() < SETTLE_MS) return false;
  using lock = await Deno.open(`${path}/${LOCK}`, { write: true }).catch(orNone);
  return lock === null || await lock.tryLock(true);
}

/** A process may be killed before it made its lock. */
function orNone(error: unknown): null {
  if (error instanceof Deno.errors.NotFound) return null;
  throw error;
}
