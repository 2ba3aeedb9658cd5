/**
 * Databases that the Python program of the same name keeps. They are only ever read.
 */
import type { DatabaseSync } from "node:sqlite";

/** What `read` makes of the database; undefined where there is no file. Throws for a file that cannot be read. */
export async function readPythonDb<Result>(
  path: string,
  read: (db: DatabaseSync) => Result,
): Promise<Result | undefined> {
  if (!await Deno.stat(path).then(({ isFile }) => isFile, () => false)) return undefined;
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}
