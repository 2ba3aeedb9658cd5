/**
 * A client of `saber rpc` for Deno, Node and Bun: starts the process, correlates answers, iterates the events of runs.
 */
import { Child, type ChildOptions } from "./child.ts";
import { CommandError, GoneError } from "./errors.ts";
import { parseExact } from "./exact_json.ts";
import { type Line, readAnswer, readLine } from "./read_line.ts";
import { Run } from "./run.ts";
import type { Answer, CommandName, Params, Ready } from "./types.ts";

export interface StartOptions extends Pick<ChildOptions, "args" | "cwd" | "env"> {
  /** `saber` when left out. */
  readonly command?: ChildOptions["command"];
  /**
   * `double` (when left out): numbers as JavaScript has them, which rounds. `exact`: integers beyond 2^53 as bigint, and
   * other numbers that would lose digits as ExactNumber.
   */
  readonly numbers?: "double" | "exact";
  /** Aborting it before saber is ready ends saber. */
  readonly signal?: AbortSignal;
}

/** Every wait can be given up; that ends the waiting, not what saber does. */
export interface WaitOptions {
  readonly signal?: AbortSignal;
}

interface Waiting {
  resolve(data: unknown): void;
  reject(error: Error): void;
}

type Parse = (text: string) => unknown;

/** How long saber may take to end by itself. */
const PATIENCE_MS = 5000;

/** One saber process. Disposing of it ends the process. */
export class Saber implements AsyncDisposable {
  /** What saber said when it was ready. */
  readonly ready: Ready;
  readonly #child: Child;
  readonly #parse: Parse;
  readonly #reading: Promise<void>;
  readonly #waiting = new Map<unknown, Waiting>();
  #lastId = 0;
  #run: Run | undefined;
  #error: Error | undefined;

  private constructor(child: Child, { ready, parse }: { readonly ready: Ready; readonly parse: Parse }) {
    this.#child = child;
    this.#parse = parse;
    this.ready = ready;
    this.#reading = this.#read();
  }

  /**
   * Starts `saber rpc` with these arguments and waits until it is ready. Throws CommandError (of the command `startup`)
   * for a start that failed, GoneError when there is no saber.
   */
  static async start(
    { command = ["saber"], args, numbers = "double", signal, ...rest }: StartOptions,
  ): Promise<Saber> {
    signal?.throwIfAborted();
    const parse: Parse = numbers === "exact" ? parseExact : JSON.parse;
    const child = await Child.start({ command, args: ["rpc", ...args], ...rest });
    const kill = () => void child.kill();
    signal?.addEventListener("abort", kill);
    try {
      if (signal?.aborted) kill();
      const { value: text } = await child.lines.next();
      signal?.throwIfAborted();
      if (text === undefined) throw new GoneError(await child.ended);
      return new Saber(child, { ready: readReady(text, parse), parse });
    } catch (error) {
      await child.kill();
      throw error;
    } finally {
      signal?.removeEventListener("abort", kill);
    }
  }

  /** Sends a command and waits for its answer. Throws CommandError when saber refuses it, GoneError when saber has gone. */
  async request<Name extends CommandName>(
    command: Name,
    params: Params<Name>,
    { signal }: WaitOptions = {},
  ): Promise<Answer<Name>> {
    signal?.throwIfAborted();
    if (this.#error) throw this.#error;
    const id = ++this.#lastId;
    let giveUp = () => {};
    const answered = new Promise<unknown>((resolve, reject) => {
      giveUp = () => reject(signal?.reason);
      this.#waiting.set(id, { resolve, reject });
    });
    signal?.addEventListener("abort", giveUp, { once: true });
    try {
      await Promise.race([answered, this.#child.write(JSON.stringify({ ...params, type: command, id }))]);
      return readAnswer(command, await answered);
    } finally {
      signal?.removeEventListener("abort", giveUp);
      this.#waiting.delete(id);
    }
  }

  /**
   * Asks a question; settles when saber has accepted it. Read the run to its end before the next one. Throws like
   * `request`.
   */
  async prompt(message: string, options: WaitOptions = {}): Promise<Run> {
    if (this.#run?.isOpen) throw new CommandError("prompt", "The last run has not come to its end.");
    const run = new Run(() => this.request("abort", {}));
    this.#run = run;
    try {
      await this.request("prompt", { message }, options);
    } catch (error) {
      this.#run = undefined;
      throw error;
    }
    return run;
  }

  /** Ends saber in good order; kills it when that takes more than five seconds. */
  async close(): Promise<void> {
    this.request("shutdown", {}).catch(() => {}); // the process's end is what counts
    this.#run?.abandon();
    const timer = setTimeout(() => void this.#child.kill(), PATIENCE_MS);
    await this.#reading;
    clearTimeout(timer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Never rejects. Whoever waits for something is told that saber has gone. */
  async #read(): Promise<void> {
    try {
      for await (const text of this.#child.lines) await this.#take(readLine(text, this.#parse), text.length);
    } catch (error) {
      this.#error = error instanceof Error ? error : new GoneError(String(error));
      await this.#child.kill();
    }
    const end = await this.#child.ended;
    const gone = this.#error ?? new GoneError(end);
    this.#error = gone;
    for (const waiting of this.#waiting.values()) waiting.reject(gone);
    this.#run?.fail(gone);
  }

  async #take(line: Line, size: number): Promise<void> {
    if (line.type === "response") {
      const waiting = this.#waiting.get(line.id);
      if (line.success) waiting?.resolve(line.data);
      else waiting?.reject(new CommandError(line.command, line.error));
    } else if (line.type !== "ready") await this.#run?.push(line, size);
  }
}

/** Throws CommandError for a start that failed, GoneError for what is no first line of saber. */
function readReady(text: string, parse: Parse): Ready {
  const first = readLine(text, parse);
  if (first.type === "ready") return first;
  if (first.type === "response" && !first.success) throw new CommandError(first.command, first.error);
  throw new GoneError("Cannot talk to saber: its first line is not the ready event.");
}
