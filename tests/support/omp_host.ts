/**
 * A host of `saber --mode rpc` for tests: lines as JSON objects, with patience; every line must be one.
 */
import assert from "node:assert/strict";
import { PATIENCE_MS } from "./patience.ts";
import { Program, type ProgramOptions } from "./program.ts";
import { shop } from "./shop.ts";

export type Frame = { readonly type: string; readonly [key: string]: unknown };

export class OmpHost implements AsyncDisposable {
  readonly program: Program;
  readonly frames: Frame[] = [];
  /** Characters of all lines so far. */
  size = 0;

  constructor(options: ProgramOptions) {
    this.program = new Program({ ...options, args: ["--mode", "rpc", ...options.args] });
  }

  async send(command: { readonly type: string; readonly [key: string]: unknown }): Promise<void> {
    await this.program.send(`${JSON.stringify(command)}\n`);
  }

  /** Undefined when the output has ended. */
  async next(): Promise<Frame | undefined> {
    const text = await this.program.line(PATIENCE_MS);
    if (text === undefined) return undefined;
    this.size += text.length + 1;
    const frame: Frame = JSON.parse(text);
    assert.equal(typeof frame.type, "string", text);
    this.frames.push(frame);
    return frame;
  }

  /** Reads up to the first frame that fits. */
  async until(fits: (frame: Frame) => boolean): Promise<Frame> {
    while (true) {
      const frame = await this.next();
      if (!frame) assert.fail(`the output ended: ${await this.program.errors()}`);
      if (fits(frame)) return frame;
    }
  }

  async untilType(type: string): Promise<Frame> {
    return await this.until((frame) => frame.type === type);
  }

  async answer(id: string): Promise<Frame> {
    return await this.until((frame) => frame.type === "response" && frame.id === id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
  }
}

/** A host of a saber on the shop, whose model is played by a server at this address. */
export async function ompHostOn(
  baseUrl: string,
  { args = ["--no-session"], env = {} }: { args?: string[]; env?: Record<string, string> } = {},
): Promise<OmpHost> {
  return new OmpHost({
    args: ["-d", await shop("sqlite"), "--model", "openai:m", ...args],
    env: { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: "key", ...env },
  });
}

/** What the user said, as a frame with messages tells it. */
export function userTexts(frame: Frame): string[] {
  const { messages } = frame as { messages?: { role: string; content: { text?: string }[] }[] };
  return (messages ?? []).filter(({ role }) => role === "user").map(({ content }) => content[0]?.text ?? "");
}
