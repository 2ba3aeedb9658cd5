/**
 * Binary values as the host writes them: `BLOB:<bytes>:<type>:<base64>`, where the base64 may hold a part only.
 */

/** How files of a type begin; offsets are 0 where none is given. */
const MAGIC: readonly { readonly type: string; readonly hex: string; readonly at?: number }[] = [
  { type: "image/png", hex: "89504e470d0a1a0a" },
  { type: "image/jpeg", hex: "ffd8ff" },
  { type: "image/gif", hex: "47494638" },
  { type: "image/webp", hex: "57454250", at: 8 },
  { type: "image/bmp", hex: "424d" },
  { type: "image/tiff", hex: "49492a00" },
  { type: "image/tiff", hex: "4d4d002a" },
  { type: "application/pdf", hex: "25504446" },
  { type: "application/zip", hex: "504b0304" },
  { type: "application/gzip", hex: "1f8b" },
  { type: "audio/mpeg", hex: "494433" },
  { type: "audio/mpeg", hex: "fffb" },
  { type: "video/mp4", hex: "66747970", at: 4 },
  { type: "application/vnd.sqlite3", hex: "53514c69746520666f726d6174203300" },
];

function mimeType(bytes: Uint8Array): string {
  const head = bytes.subarray(0, 32).toHex();
  const found = MAGIC.find(({ hex, at = 0 }) => head.startsWith(hex, at * 2));
  return found?.type ?? "application/octet-stream";
}

/** With at most so many bytes of the value; its size is the true one. */
export function writeBlob(bytes: Uint8Array, most = Infinity): string {
  return `BLOB:${bytes.length}:${mimeType(bytes)}:${bytes.subarray(0, most).toBase64()}`;
}

export interface WrittenBlob {
  /** Of the whole value. */
  readonly size: number;
  /** The value, or its beginning. */
  readonly bytes: Uint8Array;
}

/** Undefined for a text that has not this form. */
export function readBlob(text: string): WrittenBlob | undefined {
  const [, size, base64] = /^BLOB:(\d+):[^:]*:([\w+/=]*)$/.exec(text) ?? [];
  if (size === undefined || base64 === undefined) return undefined;
  try {
    return { size: Number(size), bytes: Uint8Array.fromBase64(base64) };
  } catch {
    return undefined;
  }
}
