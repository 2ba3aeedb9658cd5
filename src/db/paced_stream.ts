/**
 * A socket whose reading can be paused and resumed at any time, also where TLS lies on top of it.
 * Node's sockets are not used for that directly: on Deno 2.7 two reads can be under way at once after a pause, and what they
 * bring is lost or handed on in the wrong order. Taking chunks one by one never asks for the next before the last is there.
 */
import type { Socket } from "node:net";
import { Duplex } from "node:stream";

export class PacedStream extends Duplex {
  readonly #inner: Socket;
  readonly #chunks: AsyncIterator<unknown>;
  #gate: PromiseWithResolvers<void> | undefined;

  constructor(inner: Socket) {
    super();
    this.#inner = inner;
    this.#chunks = inner[Symbol.asyncIterator]();
    inner.on("error", (error) => this.destroy(error));
    inner.on("close", () => this.destroy());
  }

  /** Brings nothing more than what it reads at this moment, whoever asks; for a reader that does not know of pauses. */
  hold(): void {
    this.#gate ??= Promise.withResolvers();
  }

  release(): void {
    this.#gate?.resolve();
    this.#gate = undefined;
  }

  override _read(): void {
    void this.#bring();
  }

  override _write(...[chunk, , done]: Parameters<Duplex["_write"]>): void {
    this.#inner.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#inner.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#inner.closed) return done(error);
    this.#inner.once("close", () => done(error));
    this.#inner.destroy();
  }

  async #bring(): Promise<void> {
    try {
      while (this.#gate !== undefined) await this.#gate.promise;
      const { done, value } = await this.#chunks.next();
      this.push(done === true ? null : value);
    } catch {
      // told by the event
    }
  }
}

/**
 * What TLS is to be put on. From Deno 2.8 on, TLS reads a socket as fast as the other end sends, whatever its own reader
 * takes, so it gets a stream that can be held. Deno 2.7 keeps step by itself, but would read such a stream without end.
 */
export function beneathTls(socket: Socket): Socket | PacedStream {
  const [major = 0, minor = 0] = Deno.version.deno.split(".").map(Number);
  return major > 2 || minor >= 8 ? new PacedStream(socket) : socket;
}
