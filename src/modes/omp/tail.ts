/**
 * The end of a long output: what is shown of it, what was counted, and a file with all of it where it was cut.
 */
import { byteLength } from "../../base/utf8.ts";

/** What is shown. */
const MAX_SHOWN_BYTES = 50 * 1024;
const MAX_SHOWN_LINES = 2000;
/** What is kept in the file. */
const MAX_KEPT_BYTES = 100 << 20;

const LF = 0x0a;

export class Tail {
  #chunks: Uint8Array[] = [];
  #held = 0;
  #bytes = 0;
  #lines = 0;
  #lastByte = LF;
  #path: string | undefined;
  #file: Deno.FsFile | undefined;

  async add(chunk: Uint8Array): Promise<void> {
    if (chunk.length === 0) return;
    this.#bytes += chunk.length;
    for (const byte of chunk) if (byte === LF) this.#lines++;
    this.#lastByte = chunk.at(-1) ?? LF;
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    if (this.#file) await this.#spool(chunk);
    else if (this.#held > MAX_SHOWN_BYTES) await this.#beginFile();
    while (this.#held - (this.#chunks[0]?.length ?? 0) > MAX_SHOWN_BYTES) {
      this.#held -= this.#chunks.shift()?.length ?? 0;
    }
  }

  /** `last`: a line to be added. */
  async finish(last: string) {
    const whole = new Uint8Array(await new Blob(this.#chunks.map((chunk) => chunk.slice())).arrayBuffer());
    const text = new TextDecoder().decode(lastOf(whole));
    const lines = text.split("\n");
    const shown = lines.length > MAX_SHOWN_LINES + 1 ? lines.slice(-MAX_SHOWN_LINES - 1).join("\n") : text;
    const truncated = this.#bytes > MAX_SHOWN_BYTES || shown.length < text.length;
    if (truncated && !this.#path) await this.#beginFile();
    this.#file?.close();
    const totalLines = this.#lines + (this.#lastByte === LF ? 0 : 1);
    const output = last === "" ? shown : `${shown}${shown === "" || shown.endsWith("\n") ? "" : "\n"}${last}`;
    return {
      output,
      truncated,
      totalLines,
      totalBytes: this.#bytes,
      outputLines: Math.min(totalLines, shown.split("\n").length - (shown.endsWith("\n") ? 1 : 0)),
      outputBytes: byteLength(shown),
      ...(this.#path === undefined ? {} : { fullOutputPath: this.#path }),
    };
  }

  async #beginFile(): Promise<void> {
    this.#path = await Deno.makeTempFile({ prefix: "saber-output-", suffix: ".txt" });
    this.#file = await Deno.open(this.#path, { write: true });
    for (const chunk of this.#chunks) await this.#spool(chunk);
  }

  async #spool(chunk: Uint8Array): Promise<void> {
    if (this.#bytes > MAX_KEPT_BYTES) return;
    let rest = chunk;
    while (this.#file && rest.length > 0) rest = rest.subarray(await this.#file.write(rest));
  }
}

/** No more than is shown, and no half of a character at its beginning. */
function lastOf(bytes: Uint8Array): Uint8Array {
  let start = Math.max(0, bytes.length - MAX_SHOWN_BYTES);
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}
