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

/** Takes frames out of the bytes as they come. Keeps what was pushed, so the chunks must not be reused. */
export class FrameReader {
  readonly #decoder = new TextDecoder();
  #chunks: Uint8Array[] = [];
  #size = 0;

  push(chunk: Uint8Array): void {
    if (this.#size === 0) this.#chunks = [];
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  /** The next message that is whole. */
  next(): { readonly json: string; readonly blobs: Uint8Array } | undefined {
    if (this.#size < HEAD_BYTES) return undefined;
    const { buffer, byteOffset } = this.#front(HEAD_BYTES);
    const head = new DataView(buffer, byteOffset);
    const jsonBytes = head.getUint32(0, true);
    const total = HEAD_BYTES + jsonBytes + head.getUint32(4, true);
    if (this.#size < total) return undefined;
    const frame = this.#front(total);
    this.#chunks[0] = frame.subarray(total);
    this.#size -= total;
    return {
      json: this.#decoder.decode(frame.subarray(HEAD_BYTES, HEAD_BYTES + jsonBytes)),
      blobs: frame.subarray(HEAD_BYTES + jsonBytes, total),
    };
  }

  /** The first chunk, after joining as many as it takes to have `size` bytes in it. */
  #front(size: number): Uint8Array {
    const [first] = this.#chunks;
    if (first !== undefined && first.length >= size) return first;
    const whole = new Uint8Array(this.#size);
    let at = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = [whole];
    return whole;
  }
}
