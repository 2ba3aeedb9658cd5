/**
 * Messages between the program and a SQLite process as bytes: two unsigned 32-bit little-endian numbers (bytes of JSON, bytes
 * of blobs), the JSON in UTF-8, then the blobs back to back. What the messages mean is protocol.ts's.
 */
import type { Part, Request } from "./protocol.ts";

const HEAD_BYTES = 8;
const encoder = new TextEncoder();

/** A message as the bytes that travel. */
export function toFrame(message: Request | Part, blobs: readonly Uint8Array[] = []): Uint8Array<ArrayBuffer> {
  const json = encoder.encode(JSON.stringify(message));
  const blobBytes = blobs.reduce((sum, blob) => sum + blob.length, 0);
  const frame = new Uint8Array(HEAD_BYTES + json.length + blobBytes);
  const head = new DataView(frame.buffer);
  head.setUint32(0, json.length, true);
  head.setUint32(4, blobBytes, true);
  frame.set(json, HEAD_BYTES);
  let at = HEAD_BYTES + json.length;
  for (const blob of blobs) {
    frame.set(blob, at);
    at += blob.length;
  }
  return frame;
}

/** What a reader keeps for the frames to come, in bytes; longer ones take more until they are over. */
const KEPT_BYTES = 1 << 17;

/** Takes frames out of the bytes as they come, which it copies: one piece of memory for all costs less than one for each. */
export class FrameReader {
  readonly #decoder = new TextDecoder();
  #bytes = new Uint8Array(KEPT_BYTES);
  /** What was pushed and not taken lies between these. */
  #from = 0;
  #to = 0;

  push(chunk: Uint8Array): void {
    if (this.#from === this.#to) this.#empty();
    if (this.#to + chunk.length > this.#bytes.length) this.#makeRoom(chunk.length);
    this.#bytes.set(chunk, this.#to);
    this.#to += chunk.length;
  }

  /** The next message that is whole; its blobs are valid until the next call of either method. */
  next(): { readonly json: string; readonly blobs: Uint8Array } | undefined {
    const size = this.#to - this.#from;
    if (size < HEAD_BYTES) return undefined;
    const head = new DataView(this.#bytes.buffer, this.#from, HEAD_BYTES);
    const jsonBytes = head.getUint32(0, true);
    const total = HEAD_BYTES + jsonBytes + head.getUint32(4, true);
    if (size < total) return undefined;
    const frame = this.#bytes.subarray(this.#from, this.#from + total);
    this.#from += total;
    return {
      json: this.#decoder.decode(frame.subarray(HEAD_BYTES, HEAD_BYTES + jsonBytes)),
      blobs: frame.subarray(HEAD_BYTES + jsonBytes),
    };
  }

  #empty(): void {
    this.#from = 0;
    this.#to = 0;
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = new Uint8Array(KEPT_BYTES);
  }

  /** A long frame has twice the room that it needs, so that it is not copied for every chunk. */
  #makeRoom(more: number): void {
    const rest = this.#bytes.subarray(this.#from, this.#to);
    const needed = rest.length + more;
    if (needed > this.#bytes.length) this.#bytes = new Uint8Array(2 * needed);
    this.#bytes.set(rest);
    this.#from = 0;
    this.#to = rest.length;
  }
}
