/**
 * Puts the files that a program carries into one piece of data, each compressed by itself.
 */
import { createHash } from "node:crypto";
import { brotliCompressSync, constants } from "node:zlib";
import type { Index, Place } from "./carried.ts";

/** Of brotli's levels the last before the ones that take minutes for a library. */
const QUALITY = 9;

export interface Payload {
  readonly data: Uint8Array;
  readonly files: Index["files"];
}

/** `paths`: where each file is now, by the name that the program asks for. */
export async function makePayload(paths: { readonly [name: string]: string }): Promise<Payload> {
  const parts: Uint8Array[] = [];
  const files: { [name: string]: Place } = {};
  let start = 0;
  for (const [name, path] of Object.entries(paths)) {
    const content = await Deno.readFile(path);
    const packed = brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    });
    const sha256 = createHash("sha256").update(content).digest("hex");
    files[name] = { start, length: packed.length, size: content.length, sha256 };
    parts.push(packed);
    start += packed.length;
  }
  return {
    data: new Uint8Array(await new Blob(parts.map((part) => Uint8Array.from(part))).arrayBuffer()),
    files,
  };
}
