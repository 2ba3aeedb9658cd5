/**
 * A socket whose reading can be paused and resumed at any time.
 * Node's sockets are not used for that directly: on Deno 2.7 two reads can be under way at once after a pause, and what they
 * bring is lost or handed on in the wrong order. Taking chunks one by one never asks for the next before the last is there.
 */
import type { Socket } from "node:net";
import { Duplex } from "node:stream";

export class PacedStream extends Duplex {
  readonly #inner: Socket;
  readonly #chunks: AsyncIterator<unknown>;

  constructor(inner: Socket) {
    super();
    this.#inner = inner;
    this.#chunks = inner[Symbol.asyncIterator]();
    inner.on("error", (error) => this.destroy(error));
    inner.on("close", () => this.destroy());
  }

  override _read(): void {
    this.#chunks.next().then(
      ({ done, value }) => this.push(done === true ? null : value),
      () => {}, // told by the event
    );
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
}
