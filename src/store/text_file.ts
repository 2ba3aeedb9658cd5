/**
 * A new file (0600) that is written as text in pieces. They are encoded into one buffer that is used again and again, so
 * that a large file costs few system calls and little garbage.
 */
import { MAX_UNIT_BYTES } from "../base/utf8.ts";

const BUFFER = 1 << 18;

export class TextFile implements Disposable {
  readonly #file: Deno.FsFile;
  readonly #onBytes: (bytes: Uint8Array) => void;
  readonly #encoder = new TextEncoder();
  readonly #buffer = new Uint8Array(BUFFER);
  #used = 0;
  #written = 0;

  private constructor(file: Deno.FsFile, onBytes: (bytes: Uint8Array) => void) {
    this.#file = file;
    this.#onBytes = onBytes;
  }

  /** `onBytes` is shown all that is written, in order; the bytes are its own only during the call. */
  static async create(path: string, onBytes: (bytes: Uint8Array) => void = () => {}): Promise<TextFile> {
    return new TextFile(await Deno.open(path, { createNew: true, write: true, mode: 0o600 }), onBytes);
  }

  /** Bytes so far, also those that are not in the file yet. */
  get size(): number {
    return this.#written + this.#used;
  }

  async write(text: string): Promise<void> {
    const most = text.length * MAX_UNIT_BYTES;
    if (this.#used + most > BUFFER) await this.flush();
    if (most > BUFFER) await this.#put(this.#encoder.encode(text));
    else this.#used += this.#encoder.encodeInto(text, this.#buffer.subarray(this.#used)).written;
  }

  /** Bytes of UTF-8; they are the caller's again when it resolves. */
  async writeBytes(bytes: Uint8Array): Promise<void> {
    if (this.#used + bytes.length > BUFFER) await this.flush();
    if (bytes.length > BUFFER) return await this.#put(bytes);
    this.#buffer.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  async flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#used);
    this.#used = 0;
    await this.#put(bytes);
  }

  /** What was not flushed is dropped. */
  [Symbol.dispose](): void {
    this.#file.close();
  }

  async #put(bytes: Uint8Array): Promise<void> {
    this.#onBytes(bytes);
    this.#written += bytes.length;
    for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await this.#file.write(rest));
  }
}
