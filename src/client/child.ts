/**
 * The saber process as a host holds it: lines out, lines in, and how it ended. It knows nothing of what lines say.
 */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { GoneError } from "./errors.ts";
import { readLines } from "./read_lines.ts";

export interface ChildOptions {
  /** The program and its first words. */
  readonly command: readonly [program: string, ...words: string[]];
  readonly args: readonly string[];
  readonly cwd?: string;
  /** The whole environment; the host's own when left out. */
  readonly env?: { readonly [name: string]: string };
}

/** What is kept of stderr: its last characters. */
const MAX_ERRORS = 8192;

export class Child {
  readonly lines: AsyncGenerator<string, void>;
  /** Settles when the process has ended and its output was read, with a sentence on how. */
  readonly ended: Promise<string>;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<unknown>;
  #errors = "";

  private constructor(process: ChildProcessWithoutNullStreams) {
    this.#process = process;
    this.#exited = new Promise((resolve) => process.once("exit", resolve));
    this.lines = readLines(process.stdout);
    process.stderr.setEncoding("utf8");
    process.stderr.on("data", (text: string) => this.#errors = (this.#errors + text).slice(-MAX_ERRORS));
    process.stdin.on("error", () => {}); // a process that has gone is told of by its end
    this.ended = new Promise((resolve) => {
      process.on("close", (code, signal) => {
        const how = signal === null ? `with the exit code ${code}` : `by the signal ${signal}`;
        const words = this.#errors.trim();
        resolve(`saber ended ${how}.${words === "" ? "" : ` It said: ${words}`}`);
      });
    });
  }

  /** Throws GoneError when there is no such program. */
  static async start({ command: [program, ...words], args, ...options }: ChildOptions): Promise<Child> {
    const { spawn } = await import("node:child_process");
    const process = spawn(program, [...words, ...args], { ...options, stdio: "pipe" });
    await new Promise<void>((resolve, reject) => {
      process.once("spawn", resolve);
      process.once("error", ({ message }) => {
        reject(
          new GoneError(
            `Cannot start ${program}: ${message}. Install saber, or name its path as the command.`,
          ),
        );
      });
    });
    return new Child(process);
  }

  /** Settles when the process keeps up with reading, or has gone. */
  async write(line: string): Promise<void> {
    const { stdin } = this.#process;
    if (stdin.destroyed || stdin.write(`${line}\n`)) return;
    await new Promise<void>((resolve) => {
      stdin.once("drain", resolve);
      stdin.once("close", resolve);
    });
  }

  /** Ends it at once; settles when it has ended, also where another process still holds its output. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#exited;
  }
}
