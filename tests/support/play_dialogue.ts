/**
 * Plays a dialogue (dialogue.ts) against a program and throws at the first step that does not hold.
 */
import { dirname, join } from "node:path";
import { parseDialogue, splitArguments, type Step, type StepKind } from "./dialogue.ts";
import { type ModelServer, type Play, startModelServer } from "./model_server.ts";
import { PATIENCE_MS } from "./patience.ts";
import { Program, saberCommand } from "./program.ts";
import { readContractLine } from "./rpc_contract.ts";
import { shop, type ShopKind } from "./shop.ts";
import { differences } from "./subset.ts";
import { toolCallStream } from "./tool_call_stream.ts";

/** Flags that print something instead of beginning a protocol. */
const PRINTING = /^(--help|-h|--version|--schema)$/;
/** Lines that a `<*` may pass over. */
const MAX_PASSED_OVER = 10_000;

export interface PlayOptions {
  /** What is started instead of saber. */
  readonly command?: readonly string[];
  /** Looks at every line that `saber rpc` prints, besides the contract; throws for one that it does not like. */
  readonly check?: (line: string) => void;
}

export async function playDialogue(text: string, options: PlayOptions = {}): Promise<void> {
  await using stage = new Stage(await Deno.makeTempDir({ prefix: "dialogue-" }), options);
  for (const step of parseDialogue(text)) {
    try {
      await stage.play(step);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`line ${step.line}: ${step.kind} ${step.text}\n${why}\n${await stage.history()}`);
    }
  }
}

class Stage implements AsyncDisposable {
  readonly #folder: string;
  readonly #command: readonly string[];
  readonly #rpcCheck: (line: string) => void;
  readonly #names: Map<string, unknown>;
  readonly #env: Record<string, string> = {};
  readonly #seen: string[] = [];
  /** What every line of the program has to pass. */
  #check: (line: string) => void = () => {};
  readonly #models: ModelServer[] = [];
  readonly #plays = new Map<string, Play>();
  #program: Program | undefined;

  constructor(folder: string, { command = saberCommand(), check = () => {} }: PlayOptions) {
    this.#folder = folder;
    this.#command = command;
    this.#rpcCheck = (line) => {
      readContractLine(line);
      check(line);
    };
    this.#names = new Map([["dir", folder], ["newline", "\n"]]);
  }

  async play({ kind, text }: Step): Promise<void> {
    await this.#steps[kind](await this.#fill(text));
  }

  /** What the program has said so far; it is ended for that. */
  async history(): Promise<string> {
    const program = this.#program;
    if (!program) return "The program has not been started.";
    await program[Symbol.asyncDispose]();
    return `The last lines were:\n${this.#seen.slice(-20).join("\n")}\nstderr:\n${await program.errors()}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program?.[Symbol.asyncDispose]();
    for (const models of this.#models) await models[Symbol.asyncDispose]();
    await Deno.remove(this.#folder, { recursive: true });
  }

  readonly #steps: { readonly [kind in StepKind]: (text: string) => Promise<void> | void } = {
    "@file": async (text) => {
      const [, name = "", content = ""] = /^(\S+) ?([^]*)$/.exec(text) ?? [];
      const path = join(this.#folder, name);
      await Deno.mkdir(dirname(path), { recursive: true });
      await Deno.writeTextFile(path, content);
    },
    "@env": (text) => {
      const [, name = "", value = ""] = /^(\S+) ?(.*)$/.exec(text) ?? [];
      this.#env[name] = value;
    },
    "@play": (text) => {
      const [, name = "", tool = "", args = ""] = /^(\S+) (\S+) (.*)$/.exec(text) ?? [];
      this.#plays.set(name, { stream: { text: toolCallStream(tool, JSON.parse(args)) } });
    },
    "@models": (text) => {
      const plays = splitArguments(text).map((name) => this.#plays.get(name) ?? readPlay(name));
      const models = startModelServer(plays);
      this.#models.push(models);
      Object.assign(this.#env, { OPENAI_BASE_URL: models.baseUrl, OPENAI_API_KEY: "key" });
    },
    "$": async (text) => {
      await this.#program?.[Symbol.asyncDispose]();
      const options = { command: this.#command, env: this.#env, home: join(this.#folder, "home") };
      const args = splitArguments(text);
      this.#check = args[0] === "rpc" && !args.some((arg) => PRINTING.test(arg)) ? this.#rpcCheck : () => {};
      this.#program = new Program({ ...options, args });
    },
    ">": (text) => this.#started.send(`${text}\n`),
    ">|": (text) => this.#started.send(text),
    "@bytes": (text) => this.#started.send(Uint8Array.fromHex(text.replaceAll(" ", ""))),
    "@end": () => this.#started.endInput(),
    "@signal": (text) => this.#started.signal(signalOf(text)),
    "<": async (text) => this.#expect(text, await this.#line()),
    "<*": async (text) => {
      for (let passed = 0; passed < MAX_PASSED_OVER; passed++) {
        if (differences(JSON.parse(await this.#line()), JSON.parse(text), this.#place).length === 0) return;
      }
      throw new Error(`None of ${MAX_PASSED_OVER} lines was it.`);
    },
    "<~": async (text) => {
      const line = await this.#line();
      if (!line.includes(text)) throw new Error(`The line was:\n${line}`);
    },
    "<=": async (text) => {
      const line = await this.#line();
      if (line !== text) throw new Error(`The line was:\n${line}`);
    },
    "!": async (text) => {
      const line = await this.#started.line(PATIENCE_MS);
      if (line !== undefined) throw new Error(`One more line came:\n${line}`);
      const { code, signal } = await this.#started.exit;
      if (String(code) !== text) throw new Error(`It ended with ${signal ?? code}.`);
    },
    "2<": async (text) => {
      if (!(await this.#started.errors()).includes(text)) throw new Error("It is not there.");
    },
    "2!": async (text) => {
      if ((await this.#started.errors()).includes(text)) throw new Error("It is there.");
    },
    "2=": async (text) => {
      if ((await this.#started.errors()).trimEnd() !== text) throw new Error("It is another one.");
    },
  };

  get #started(): Program {
    if (!this.#program) throw new Error("The program has not been started.");
    return this.#program;
  }

  get #place() {
    return { names: this.#names, path: "$" };
  }

  async #line(): Promise<string> {
    const line = await this.#started.line(PATIENCE_MS);
    if (line === undefined) throw new Error("The output has ended.");
    this.#seen.push(line);
    this.#check(line);
    return line;
  }

  #expect(text: string, line: string): void {
    const found = differences(JSON.parse(line), JSON.parse(text), this.#place);
    if (found.length > 0) throw new Error(found.join("\n"));
  }

  async #fill(text: string): Promise<string> {
    const kinds = ["sqlite", "duckdb", "csv", "parquet"] as const satisfies readonly ShopKind[];
    for (const kind of kinds) {
      if (text.includes(`\${shop.${kind}}`)) this.#names.set(`shop.${kind}`, await shop(kind));
    }
    return text.replaceAll(/\$\{([^{}]*)\}/g, (whole, inner: string) => {
      const [, piece, count] = /^(.+)\*(\d+)$/s.exec(inner) ?? [];
      if (piece !== undefined) return piece.repeat(Number(count));
      return this.#names.has(inner) ? String(this.#names.get(inner)) : whole;
    });
  }
}

function readPlay(text: string): Play {
  if (/^\d+$/.test(text)) return { status: Number(text), body: "" };
  const [stream = "", ...settings] = text.split(",");
  return { stream, ...Object.fromEntries(settings.map(readSetting)) };
}

function readSetting(text: string): [name: string, value: number] {
  const [, name = "", value = ""] = /^(paceMs|stallAt|resetAt)=(\d+)$/.exec(text) ?? [];
  if (name === "") throw new Error(`No play has the setting "${text}".`);
  return [name, Number(value)];
}

function signalOf(name: string): Deno.Signal {
  const known = (["SIGTERM", "SIGINT", "SIGHUP"] as const).find((each) => each === name);
  if (!known) throw new Error(`No dialogue sends the signal "${name}".`);
  return known;
}
