/**
 * A host of `saber rpc` for tests: every line is read as the contract has it, and kept.
 */
import assert from "node:assert/strict";
import { PATIENCE_MS } from "./patience.ts";
import { Program, type ProgramOptions } from "./program.ts";
import { readContractLine } from "./rpc_contract.ts";

export type HostLine = ReturnType<typeof readContractLine>;

export class RpcHost implements AsyncDisposable {
  readonly program: Program;
  /** What has been read so far. */
  readonly lines: HostLine[] = [];
  /** Each of them as it was written. */
  readonly texts = new Map<HostLine, string>();

  constructor(options: ProgramOptions) {
    this.program = new Program({ ...options, args: ["rpc", ...options.args] });
  }

  async send(command: { readonly type: string; readonly [key: string]: unknown }): Promise<void> {
    await this.program.send(`${JSON.stringify(command)}\n`);
  }

  /** Undefined when the output has ended. */
  async next(): Promise<HostLine | undefined> {
    const text = await this.program.line(PATIENCE_MS);
    if (text === undefined) return undefined;
    const line = readContractLine(text);
    this.lines.push(line);
    this.texts.set(line, text);
    return line;
  }

  /** Reads up to the first line that fits. */
  async until(fits: (line: HostLine) => boolean): Promise<HostLine> {
    while (true) {
      const line = await this.next();
      if (!line) {
        const errors = await this.program.errors();
        assert.fail(`the output ended after ${JSON.stringify(this.lines.at(-1))}: ${errors}`);
      }
      if (fits(line)) return line;
    }
  }

  async answerTo(command: string): Promise<Extract<HostLine, { type: "response" }>> {
    const line = await this.until((line) => line.type === "response" && line.command === command);
    return line.type === "response" ? line : assert.fail();
  }

  /** Reads the rest; the exit code. */
  async end(): Promise<number> {
    while (await this.next());
    return (await this.program.exit).code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
  }
}
