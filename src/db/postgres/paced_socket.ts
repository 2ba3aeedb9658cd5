/**
 * A socket that hands on what comes in only when it is told to, as the library wants a socket to look.
 * Node's own pause and resume are not used: on Deno 2.7 two reads can then be under way at once, and what they bring is
 * handed on in the wrong order. Taking chunks one by one never asks for the next before the last is there.
 */
import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import type { PacedStream } from "../paced_stream.ts";
import type { Line } from "./socket.ts";

const TAIL_BYTES = 6;

export class PacedSocket extends EventEmitter {
  readonly #inner: Socket;
  readonly #beneath: PacedStream | undefined;
  #gate: PromiseWithResolvers<void> | undefined;
  #received = 0;
  #tail = new Uint8Array(0);

  constructor({ socket: inner, beneath }: Line) {
    super();
    this.#inner = inner;
    this.#beneath = beneath;
    for (const event of ["close", "drain"]) inner.on(event, (value) => this.emit(event, value));
    // without a listener, an error would be thrown; what ends a socket nobody uses is nobody's concern
    inner.on("error", (error) => this.listenerCount("error") > 0 && this.emit("error", error));
    void this.#pump();
  }

  /** Bytes that have come in so far. */
  get received(): number {
    return this.#received;
  }

  /** The last bytes that came in, as many as a message without content and one byte has. */
  get tail(): Uint8Array {
    return this.#tail;
  }

  get isOpen(): boolean {
    return !this.#inner.destroyed && this.#inner.readyState === "open";
  }

  get readyState(): string {
    return this.#inner.readyState;
  }

  write(bytes: Uint8Array, callback?: (error?: Error | null) => void): boolean {
    return this.#inner.write(bytes, callback);
  }

  end(bytes: Uint8Array): void {
    this.#inner.end(bytes);
  }

  destroy(): void {
    this.#inner.destroy();
    this.#beneath?.destroy();
  }

  /** Hands on no more than the chunk at hand; once the buffers on the way are full, the other end must wait. */
  pause(): void {
    this.#gate ??= Promise.withResolvers();
    this.#beneath?.hold();
  }

  resume(): void {
    this.#beneath?.release();
    this.#gate?.resolve();
    this.#gate = undefined;
  }

  async #pump(): Promise<void> {
    try {
      for await (const chunk of this.#inner) {
        this.#received += chunk.length;
        this.#tail = chunk.length >= TAIL_BYTES
          ? chunk.slice(-TAIL_BYTES)
          : new Uint8Array([...this.#tail, ...chunk]).slice(-TAIL_BYTES);
        this.emit("data", chunk);
        await this.#gate?.promise;
      }
    } catch {
      // told by the event
    }
  }
}
