/**
 * The program's end of one SQLite process: asking it, ending it. How it is started is spawn.ts's, what it does sqlite_child/'s.
 */
import { ChunkReader } from "../../base/chunks.ts";
import { FrameReader, toFrame } from "../sqlite_child/frames.ts";
import { fill, type Part, type Request } from "../sqlite_child/protocol.ts";
import { type ProcessOptions, spawn } from "./spawn.ts";

export class SqliteProcess {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #reader: ChunkReader;
  readonly #frames = new FrameReader();
  /** Settles when the process is gone. Never rejects. */
  readonly ended: Promise<void>;
  #isAlive = true;

  /** Throws Fault `unreachable` when no process can be started. */
  constructor(options: ProcessOptions) {
    this.#child = spawn(options);
    this.rest();
    this.#writer = this.#child.stdin.getWriter();
    this.#reader = new ChunkReader(this.#child.stdout);
    this.ended = this.#watch();
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** While it works, it keeps the program running. */
  work(): void {
    this.#child.ref();
  }

  /** While it waits for work, it does not keep the program running. */
  rest(): void {
    this.#child.unref();
  }

  /** A process that is gone is noticed by the read that follows. */
  send(request: Request): void {
    this.#writer.write(toFrame(request)).catch(() => {});
  }

  /** The next part of an answer; undefined when the process is gone. */
  async receive(): Promise<Part | undefined> {
    for (;;) {
      const frame = this.#frames.next();
      if (frame !== undefined) {
        const part: Part = JSON.parse(frame.json);
        fill(part, frame.blobs);
        return part;
      }
      const bytes = await this.#reader.next().catch(() => undefined);
      if (bytes === undefined) {
        this.#isAlive = false;
        return undefined;
      }
      this.#frames.push(bytes);
    }
  }

  /** Ends it at once, whatever it does. */
  kill(): void {
    this.#isAlive = false;
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // it has ended already
    }
  }

  /** Lets it end by itself; it must be idle. */
  end(): void {
    this.#isAlive = false;
    this.#writer.close().catch(() => {});
  }

  async #watch(): Promise<void> {
    await this.#child.status;
    this.#isAlive = false;
    await Promise.allSettled([this.#writer.abort(), this.#reader.cancel(), this.#child.stderr.cancel()]);
  }
}
