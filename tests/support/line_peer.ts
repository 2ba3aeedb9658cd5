/**
 * The other end of a JSON-RPC line protocol in a test: writes messages or raw bytes, waits for answers by their id.
 * It works on any pair of byte streams: a child process's, or those of a server in this process.
 */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { PATIENCE_MS } from "./patience.ts";

export const messageSchema = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.optional(z.union([z.string(), z.number()])),
  method: z.optional(z.string()),
  params: z.optional(z.unknown()),
  result: z.optional(z.record(z.string(), z.unknown())),
  error: z.optional(z.strictObject({ code: z.number(), message: z.string(), data: z.optional(z.unknown()) })),
});

export type Message = z.infer<typeof messageSchema>;

export class LinePeer {
  /** Everything that came, in order. */
  readonly messages: Message[] = [];
  /** Settles at the end of the output; rejects when a line is no message of the protocol. */
  readonly ended: Promise<void>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #encoder = new TextEncoder();
  #came = Promise.withResolvers<void>();
  #isOver = false;

  constructor(output: ReadableStream<Uint8Array>, input: WritableStream<Uint8Array>) {
    this.#writer = input.getWriter();
    this.ended = this.#read(output).finally(() => {
      this.#isOver = true;
      this.#came.resolve();
    });
    this.ended.catch(() => {}); // whoever waits for an answer or for the end sees it
  }

  /** Each value as one line. */
  async send(...values: unknown[]): Promise<void> {
    await this.write(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
  }

  async write(text: string | Uint8Array): Promise<void> {
    await this.#writer.write(typeof text === "string" ? this.#encoder.encode(text) : text);
  }

  /** Ends the server's input. */
  async close(): Promise<void> {
    await this.#writer.close();
  }

  async answer(id: string | number): Promise<Message> {
    return await this.find((message) => message.id === id && message.method === undefined, `answer ${id}`);
  }

  /** The first message, past or to come, that fits. */
  async find(fits: (message: Message) => boolean, what: string): Promise<Message> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(() => late.reject(new Error(`No ${what} came`)), PATIENCE_MS);
    try {
      while (true) {
        const found = this.messages.find(fits);
        if (found) return found;
        if (this.#isOver) await this.ended;
        assert.ok(!this.#isOver, `the output ended before ${what}`);
        await Promise.race([this.#came.promise, late.promise]);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async #read(output: ReadableStream<Uint8Array>): Promise<void> {
    let rest = "";
    for await (const text of output.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      this.messages.push(...lines.map((line) => messageSchema.parse(JSON.parse(line))));
      this.#came.resolve();
      this.#came = Promise.withResolvers();
    }
    assert.equal(rest, "", "the last line has no end");
  }
}
