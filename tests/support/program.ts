/**
 * saber as a child process with a home of its own: what is written to it and read from it, line by line.
 * It judges nothing. Which program it is: $PROGRAM, else `deno run` of the sources.
 */
import { repository } from "./sources.ts";

export interface ProgramOptions {
  /** The words before the arguments; saber when left out. */
  readonly command?: readonly string[];
  readonly args: readonly string[];
  /** Besides what every program needs; nothing else of the surroundings is passed on. */
  readonly env?: { readonly [name: string]: string };
  /** The folder of the user's settings; one that does not exist when left out. */
  readonly home?: string;
}

/** Deno looks for its cache below the home, which is another one for the program. */
const DENO_DIR: string = JSON.parse(
  new TextDecoder().decode(new Deno.Command("deno", { args: ["info", "--json"] }).outputSync().stdout),
).denoDir;

/** What is passed on: how to find programs, libraries and Deno's cache. */
const PASSED_ON = ["PATH", "DENO_TLS_CA_STORE", "SystemRoot", "LOCALAPPDATA", "TEMP", "TMP"];

/** saber's command line without its arguments. */
export function saberCommand(): string[] {
  const program = Deno.env.get("PROGRAM");
  return program ? [program] : ["deno", "run", "-q", "-P", "main.ts"];
}

export class Program implements AsyncDisposable {
  readonly pid: number;
  readonly exit: Promise<Deno.CommandStatus>;
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: AsyncGenerator<string, undefined>;
  #errors = "";
  #said = Promise.withResolvers<void>();
  readonly #errorsRead: Promise<void>;

  constructor(options: ProgramOptions) {
    const [command = "", ...words] = options.command ?? saberCommand();
    this.#child = new Deno.Command(command, {
      args: [...words, ...options.args],
      cwd: repository,
      clearEnv: true,
      env: { ...surroundings(), ...homeAt(options.home ?? "/nowhere"), ...options.env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.pid = this.#child.pid;
    this.exit = this.#child.status;
    this.#input = this.#child.stdin.getWriter();
    this.#lines = readLines(this.#child.stdout);
    this.#errorsRead = this.#readErrors();
  }

  /** Settles when the program has taken it; a program that has gone takes nothing. */
  async send(text: string | Uint8Array): Promise<void> {
    await this.#input.write(typeof text === "string" ? new TextEncoder().encode(text) : text).catch(() => {});
  }

  async endInput(): Promise<void> {
    await this.#input.close().catch(() => {});
  }

  /** The next line of stdout, undefined after the last; throws when none comes in time. */
  async line(patienceMs: number): Promise<string | undefined> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new Error(`no line came within ${patienceMs} ms`)),
      patienceMs,
    );
    try {
      return (await Promise.race([this.#lines.next(), late.promise])).value;
    } finally {
      clearTimeout(timer);
    }
  }

  signal(name: Deno.Signal): void {
    this.#child.kill(name);
  }

  /** What matches in stderr, once it is there; throws when the program ends without. */
  async saying(pattern: RegExp): Promise<string> {
    while (true) {
      const [found] = this.#errors.match(pattern) ?? [];
      if (found !== undefined) return found;
      const isOver = await Promise.race([this.#said.promise, this.#errorsRead.then(() => true)]);
      if (isOver && !pattern.test(this.#errors)) throw new Error(`the program ended with: ${this.#errors}`);
    }
  }

  /** All of stderr; waits for its end. */
  async errors(): Promise<string> {
    await this.#errorsRead;
    return this.#errors;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endInput();
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // it has ended by itself
    }
    while ((await this.#lines.next()).done !== true);
    await Promise.all([this.exit, this.#errorsRead]);
  }

  async #readErrors(): Promise<void> {
    for await (const text of this.#child.stderr.pipeThrough(new TextDecoderStream())) {
      this.#errors += text;
      this.#said.resolve();
      this.#said = Promise.withResolvers();
    }
  }
}

async function* readLines(output: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let pieces: string[] = [];
  for await (const text of output.pipeThrough(new TextDecoderStream("utf-8", { fatal: true }))) {
    const [first = "", ...rest] = text.split("\n");
    pieces.push(first);
    for (const piece of rest) {
      yield pieces.join("").replace(/\r$/, "");
      pieces = [piece];
    }
  }
  const last = pieces.join("");
  if (last !== "") yield last;
}

/** Tests leave the user's own keyring alone. */
export const NO_KEYRING = { PYTHON_KEYRING_BACKEND: "keyring.backends.null.Keyring" };

function surroundings(): Record<string, string> {
  const found = PASSED_ON.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(found), DENO_DIR, NO_COLOR: "1", ...NO_KEYRING };
}

function homeAt(folder: string): Record<string, string> {
  return { HOME: folder, USERPROFILE: folder };
}
