/**
 * A new file (0600) that is written as text in pieces: small ones are collected, so that a row costs no system call.
 */

/** Collected up to this many UTF-16 units. */
const CHUNK = 1 << 16;

export class TextFile implements Disposable {
  readonly #file: Deno.FsFile;
  readonly #encoder = new TextEncoder();
  #pending = "";

  private constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  static async create(path: string): Promise<TextFile> {
    return new TextFile(await Deno.open(path, { createNew: true, write: true, mode: 0o600 }));
  }

  async write(text: string): Promise<void> {
    this.#pending += text;
    if (this.#pending.length >= CHUNK) await this.flush();
  }

  async flush(): Promise<void> {
    let rest = this.#encoder.encode(this.#pending);
    this.#pending = "";
    while (rest.length > 0) rest = rest.subarray(await this.#file.write(rest));
  }

  /** What was not flushed is dropped. */
  [Symbol.dispose](): void {
    this.#file.close();
  }
}
