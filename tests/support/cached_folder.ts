/**
 * Folders in the system's temp folder that are filled once and then shared by all test files and later runs.
 * The name must change with the content, since a folder is never filled again.
 */
import { dirname, join } from "node:path";

/** The path of the folder `saber-NAME`, filled by `fill` if it is not there. Nobody sees it half full. */
export async function cachedFolder(name: string, fill: (staging: string) => Promise<void>): Promise<string> {
  const staging = await Deno.makeTempDir({ prefix: "saber-" });
  try {
    const folder = join(dirname(staging), `saber-${name}`);
    if (!await exists(folder)) {
      await fill(staging);
      await moveUnlessThere(staging, folder);
    }
    return folder;
  } finally {
    if (await exists(staging)) await Deno.remove(staging, { recursive: true });
  }
}

/** Renaming a folder is atomic and fails on one that is not empty: of several at once, the first wins. */
async function moveUnlessThere(from: string, to: string): Promise<void> {
  try {
    await Deno.rename(from, to);
  } catch (error) {
    if (!await exists(to)) throw error;
  }
}

export async function exists(path: string | URL): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
