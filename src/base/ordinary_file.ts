/**
 * A look at a file that somebody else names, before all of it is read: a device or a pipe would never end, and a file that is
 * too large would fill the memory.
 */

/** A file that is not to be read; `message` is why: what it is. */
export class OddFile extends Error {}

/** Throws OddFile, and the system's error for a file that is missing or cannot be reached. */
export function checkOrdinary(path: string, { maxBytes }: { readonly maxBytes: number }): void {
  const { isFile, isDirectory, size } = Deno.statSync(path);
  if (!isFile) throw new OddFile(isDirectory ? "it is a folder" : "it is no ordinary file");
  if (size > maxBytes) throw new OddFile(`it has more than ${maxBytes} bytes`);
}
