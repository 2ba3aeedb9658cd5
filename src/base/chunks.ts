/**
 * Reads a stream of bytes chunk by chunk, where it can into one buffer that is used again and again: a fresh one for
 * each read costs several times what the read itself does. It knows nothing of what the bytes mean.
 */

const BUFFER_BYTES = 1 << 16;

export class ChunkReader {
  readonly #reader: ReadableStreamBYOBReader | ReadableStreamDefaultReader<Uint8Array>;
  #buffer = new ArrayBuffer(BUFFER_BYTES);

  constructor(input: ReadableStream<Uint8Array>) {
    this.#reader = readerOf(input);
  }

  /** The next bytes, which are valid until the next call; undefined at the end. Throws what the stream fails with. */
  async next(): Promise<Uint8Array | undefined> {
    const reader = this.#reader;
    if (!(reader instanceof ReadableStreamBYOBReader)) return (await reader.read()).value;
    const { done, value } = await reader.read(new Uint8Array(this.#buffer));
    if (value !== undefined) this.#buffer = value.buffer;
    return done ? undefined : value;
  }

  /** Ends the reading, also one that is under way. */
  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }
}

function readerOf(
  input: ReadableStream<Uint8Array>,
): ReadableStreamBYOBReader | ReadableStreamDefaultReader<Uint8Array> {
  try {
    return input.getReader({ mode: "byob" });
  } catch {
    return input.getReader(); // a stream of chunks that somebody has made
  }
}
