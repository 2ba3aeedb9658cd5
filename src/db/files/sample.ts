/**
 * How much of a text file is looked at when it is opened, to find the types of its columns.
 */
import type { DataFile } from "../driver.ts";

/** Files up to so many bytes are looked at as a whole; that takes about 0.2 s at most. */
const MAX_WHOLE = 8 << 20;
/** The same for compressed ones, which may be ten times as large inside. */
const MAX_COMPRESSED = 1 << 20;

/** The first so many lines or objects; -1 is all of them. */
export async function sampleSize({ path, sample }: DataFile, first: number): Promise<number> {
  if (sample === "all") return -1;
  const limit = /\.(?:gz|zst)$/i.test(path) ? MAX_COMPRESSED : MAX_WHOLE;
  return (await Deno.stat(path)).size <= limit ? -1 : first;
}

/** What a query of no more than the sample ends in. */
export function limitTo(size: number): string {
  return size < 0 ? "" : ` LIMIT ${size}`;
}
