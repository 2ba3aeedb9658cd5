/**
 * The SDK's Transport over a pair of byte streams: one message a line, read by our framer and written by our writer.
 * It answers what is no message, knows which requests are unanswered, and tells when nobody is there any more.
 */
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import { type Line, LineReader } from "../../base/lines.ts";
import { nextTurn } from "../../base/next_turn.ts";
import type { LineWriter } from "../../wire/writer.ts";
import { type LatestAnswer, messageToPieces } from "./message_json.ts";
import { MAX_LINE, readMessage } from "./read_message.ts";

/** Unwritten output (UTF-16 units) above which reading pauses. */
const MAX_UNWRITTEN = 16 << 20;

interface Output {
  readonly writer: LineWriter;
  /** What is known of the answer that is sent next. */
  readonly latest: LatestAnswer;
}

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <Message extends JSONRPCMessage>(message: Message) => void;
  readonly #input: ReadableStream<Uint8Array>;
  readonly #writer: LineWriter;
  readonly #latest: LatestAnswer;
  readonly #unanswered = new Set<RequestId>();
  readonly #inputEnded = Promise.withResolvers<void>();
  #answered = Promise.withResolvers<void>();
  #isClosed = false;

  constructor(input: ReadableStream<Uint8Array>, { writer, latest }: Output) {
    this.#input = input;
    this.#writer = writer;
    this.#latest = latest;
  }

  /** Settles at the end of the input. */
  get inputEnded(): Promise<void> {
    return this.#inputEnded.promise;
  }

  start(): Promise<void> {
    const lines = new LineReader(this.#input, { maxBytes: MAX_LINE, lastLine: "drop" });
    this.#read(lines).catch((error: Error) => this.onerror?.(error)).finally(this.#inputEnded.resolve);
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#writer.write(...messageToPieces(message, this.#latest));
    if ("result" in message || "error" in message) this.#settle(message.id);
  }

  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.onclose?.();
    }
    return Promise.resolve();
  }

  /** Settles when every request that was read has been answered or cancelled. */
  async allAnswered(): Promise<void> {
    while (this.#unanswered.size > 0) await this.#answered.promise;
  }

  async #read(lines: LineReader): Promise<void> {
    for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
      if (this.#isClosed) return;
      await this.#accept(line);
      // What the message asks for is begun first: reading on takes time from it, and can go beside it.
      await nextTurn();
      if (this.#writer.pending > MAX_UNWRITTEN) await this.#writer.drain();
    }
  }

  async #accept(line: Line): Promise<void> {
    const read = readMessage(line);
    if ("refusal" in read) return await this.#writer.write(JSON.stringify(read.refusal));
    this.#note(read.message);
    this.onmessage?.(read.message);
  }

  #note(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message) this.#unanswered.add(message.id);
    else if (message.method === "notifications/cancelled") this.#settle(message.params?.requestId);
  }

  #settle(id: unknown): void {
    if (typeof id !== "string" && typeof id !== "number") return;
    this.#unanswered.delete(id);
    this.#answered.resolve();
    this.#answered = Promise.withResolvers();
  }
}
