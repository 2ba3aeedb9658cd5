/**
 * Size and SHA-256 of a file, read piece by piece: what descriptors tell, and how a file is known to be as it was written.
 */

export interface FileSum {
  readonly size: number;
  /** As hex. */
  readonly sha256: string;
}

/** Throws for what is no regular file. Aborting the signal ends the reading. */
export async function fileSum(path: string, signal?: AbortSignal): Promise<FileSum> {
  if (!(await Deno.lstat(path)).isFile) throw new Error("not a regular file");
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  let size = 0;
  using file = await Deno.open(path);
  for await (const bytes of file.readable) {
    signal?.throwIfAborted();
    hash.update(bytes);
    size += bytes.length;
  }
  return { size, sha256: hash.digest("hex") };
}

/** Whether the file is there and has this size and sum. Throws only for an aborted signal. */
export async function isIntact(
  path: string,
  { signal, ...sum }: FileSum & { readonly signal?: AbortSignal },
): Promise<boolean> {
  const found = await fileSum(path, signal).catch(() => undefined);
  signal?.throwIfAborted();
  return found?.size === sum.size && found.sha256 === sum.sha256;
}
