/**
 * The other side of a Connection, in one process with it: sends text and keeps the lines that come back.
 */
import type { Commands } from "../../src/wire/dispatch.ts";
import type { Codec } from "../../src/wire/frame.ts";
import { jsonl } from "../../src/wire/jsonl.ts";
import { Connection, type Ending } from "../../src/wire/serve.ts";
import { LineWriter } from "../../src/wire/writer.ts";

export class WirePeer {
  readonly connection: Connection;
  readonly ending: Promise<Ending>;
  /** The complete lines that were read. */
  readonly lines: string[] = [];
  /** What the connection wrote into its log. */
  readonly log: string[] = [];
  /** The peer reads when this settles; a rejection breaks the pipe. */
  reading: Promise<void> = Promise.resolve();
  readonly #input = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  readonly #sending = this.#input.writable.getWriter();
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #unfinished = "";
  #arrival = Promise.withResolvers<void>();

  constructor(commands: (connection: () => Connection) => Commands, codec: Codec = jsonl) {
    this.connection = new Connection({
      input: this.#input.readable,
      writer: new LineWriter({ write: (bytes) => this.#take(bytes) }),
      codec,
      commands: commands(() => this.connection),
      log: (message) => void this.log.push(message),
      lines: { maxBytes: 1 << 20, lastLine: "deliver" },
      lineErrors: { oversize: "Input line exceeds 1 MiB", invalid: "Command is not valid UTF-8" },
    });
    this.ending = this.connection.run();
  }

  /** Settles when the connection has taken the chunk off the pipe. */
  async send(chunk: string | Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#sending.write(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
  }

  /** Ends the input, in order or with an error. */
  async end(error?: Error): Promise<void> {
    await (error ? this.#sending.abort(error) : this.#sending.close());
  }

  /** Waits until so many lines have come in all. */
  async received(count: number): Promise<readonly string[]> {
    while (this.lines.length < count) await this.#arrival.promise;
    return this.lines;
  }

  async #take(bytes: Uint8Array): Promise<number> {
    await this.reading;
    const pieces = (this.#unfinished + this.#decoder.decode(bytes, { stream: true })).split("\n");
    this.#unfinished = pieces.pop() ?? "";
    this.lines.push(...pieces);
    this.#arrival.resolve();
    this.#arrival = Promise.withResolvers();
    return bytes.length;
  }
}
