/**
 * The repository's own files as text, for the tests that check its shape. It reads; it judges nothing.
 */

export interface Source {
  /** Relative to the repository, with "/" on every system. */
  readonly path: string;
  readonly text: string;
}

/** Folders that no check looks into: what tools put there is not ours. */
const NOT_OURS = new Set([".git", "node_modules", "dist"]);

export const repository = new URL("../../", import.meta.url);

/** Every file below `folder` ("" for the whole repository) whose name `wanted` accepts, ordered by path. */
export async function readSources(folder: string, wanted: (path: string) => boolean): Promise<Source[]> {
  const found: Source[] = [];
  for await (const path of walk(folder)) {
    if (wanted(path)) found.push({ path, text: await Deno.readTextFile(new URL(path, repository)) });
  }
  return found.sort((a, b) => a.path < b.path ? -1 : 1);
}

async function* walk(folder: string): AsyncGenerator<string> {
  const prefix = folder === "" ? "" : `${folder}/`;
  for await (const entry of Deno.readDir(new URL(prefix, repository))) {
    if (entry.isDirectory && !NOT_OURS.has(entry.name)) yield* walk(prefix + entry.name);
    if (entry.isFile) yield prefix + entry.name;
  }
}
