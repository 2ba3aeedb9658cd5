/**
 * The host's side of `saber plugin`: starts the program, asks by method, and holds every line to the envelope that the real
 * host can read. What results mean is the tests'.
 */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { PATIENCE_MS } from "./patience.ts";
import { Program } from "./program.ts";

const failure = z.strictObject({ code: z.int(), message: z.string(), data: z.optional(z.unknown()) });
/** Exactly one of result and error: with both, the host takes a failure for success. */
const envelope = z.union([
  z.strictObject({ jsonrpc: z.literal("2.0"), id: z.int(), result: z.unknown() }),
  z.strictObject({ jsonrpc: z.literal("2.0"), id: z.int(), error: failure }),
]);

type Answer = z.infer<typeof envelope>;

/** What the program answered to a request that failed. */
export class PluginError extends Error {
  constructor(readonly code: number, message: string) {
    super(message);
  }
}

export class PluginHost implements AsyncDisposable {
  readonly program: Program;
  /** What goes into `params.params` of every request. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #reading: Promise<void>;
  #last = 0;

  /** `command`: what is started, without arguments, instead of `saber plugin`. */
  constructor(
    params: Readonly<Record<string, unknown>>,
    { args = [], command }: { args?: readonly string[]; command?: readonly string[] } = {},
  ) {
    this.params = params;
    this.program = new Program(command ? { args: [], command } : { args: ["plugin", ...args] });
    this.#reading = this.#read();
    this.#reading.catch(() => {});
  }

  /** The result. Throws PluginError for an error. */
  async ask(method: string, fields: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return await this.begin(method, fields).answer;
  }

  /** Sends a request; its id can be cancelled. */
  begin(
    method: string,
    fields: Readonly<Record<string, unknown>> = {},
  ): { readonly id: number; readonly answer: Promise<unknown> } {
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.set(id, resolve);
    void this.send({ jsonrpc: "2.0", method, params: { params: this.params, ...fields }, id });
    const answer = Promise.race([promise, this.#died()]).then((got) => {
      if ("error" in got) throw new PluginError(got.error.code, got.error.message);
      return got.result;
    });
    answer.catch(() => {}); // whoever awaits it sees it
    return { id, answer };
  }

  async send(message: unknown): Promise<void> {
    await this.program.send(`${JSON.stringify(message)}\n`);
  }

  /** The error that a request ends with. */
  async fails(method: string, fields: Readonly<Record<string, unknown>> = {}): Promise<PluginError> {
    const error = await this.ask(method, fields).then(
      (result) => assert.fail(`${method} gave ${JSON.stringify(result)}`),
      (thrown) => thrown,
    );
    assert.ok(error instanceof PluginError, String(error));
    return error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
    await this.#reading.catch(() => {});
  }

  async #died(): Promise<never> {
    await this.#reading;
    throw new Error(`the program ended: ${await this.program.errors()}`);
  }

  async #read(): Promise<void> {
    for (;;) {
      const line = await this.program.line(PATIENCE_MS);
      if (line === undefined) return;
      const answer = envelope.parse(JSON.parse(line));
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    }
  }
}
