/**
 * Prompts that a person has saved: Markdown files in the folder `prompts` of the settings. `/name words` sends the file's
 * text to the model, with the words in their places. Who sends it is run_commands.ts's.
 */
import type { Emit } from "./message_teller.ts";

export interface SavedPrompt {
  readonly name: string;
  readonly description: string;
  readonly text: string;
}

const MAX_FILES = 200;
const MAX_BYTES = 64 << 10;

export class SavedPrompts {
  readonly #folder: string;
  readonly #emit: Emit;
  #list: readonly SavedPrompt[] = [];
  /** What is wrong with which file, as the host was told. */
  #told: ReadonlyMap<string, string> = new Map();

  constructor(folder: string, emit: Emit) {
    this.#folder = folder;
    this.#emit = emit;
  }

  get list(): readonly SavedPrompt[] {
    return this.#list;
  }

  /** Reads the folder again; whether anything has changed. A file that cannot be used is told of once. */
  async load(): Promise<boolean> {
    const before = this.#list;
    const errors = new Map<string, string>();
    const list: SavedPrompt[] = [];
    for (const file of await filesIn(this.#folder)) {
      const path = `${this.#folder}/${file}`;
      const prompt = await readPrompt(path, file.slice(0, -3));
      if (typeof prompt === "string") errors.set(path, prompt);
      else list.push(prompt);
    }
    const news = [...errors].filter(([path, error]) => this.#told.get(path) !== error);
    this.#list = list;
    this.#told = errors;
    for (const [extensionPath, error] of news) {
      await this.#emit("extension_error", { extensionPath, event: "load", error });
    }
    return JSON.stringify(before) !== JSON.stringify(list);
  }

  /** The prompt that the words stand for; themselves where they name none. */
  expand(message: string): string {
    const [, name, given = ""] = /^\s*\/([\w-]+)(?:\s+([^]*))?$/.exec(message) ?? [];
    const prompt = this.#list.find((each) => each.name === name);
    if (!prompt) return message;
    const all = given.trim();
    const words = all.split(/\s+/);
    let isUsed = false;
    const text = prompt.text.replaceAll(/\$(ARGUMENTS|@|[1-9])/g, (_whole, place: string) => {
      isUsed = true;
      return /\d/.test(place) ? words[Number(place) - 1] ?? "" : all;
    });
    return isUsed || all === "" ? text : `${text}\n\n${all}`;
  }
}

/** Names of Markdown files that may follow a slash; none without the folder. */
async function filesIn(folder: string): Promise<string[]> {
  try {
    const files = await Array.fromAsync(Deno.readDir(folder));
    const names = files.filter(({ isDirectory }) => !isDirectory).map(({ name }) => name);
    return names.filter((name) => /^[\w-]+\.md$/.test(name)).sort().slice(0, MAX_FILES);
  } catch {
    return [];
  }
}

/** A sentence where the file cannot be used. */
async function readPrompt(path: string, name: string): Promise<SavedPrompt | string> {
  try {
    if ((await Deno.stat(path)).size > MAX_BYTES) return "Cannot use the prompt: it has more than 64 KiB.";
    const whole = new TextDecoder("utf-8", { fatal: true }).decode(await Deno.readFile(path));
    const [head = "", about = ""] = /^---\r?\n([^]*?)\r?\n---\r?\n/.exec(whole) ?? [];
    const text = whole.slice(head.length).trim();
    if (text === "") return "Cannot use the prompt: it is empty.";
    const described = /^description:\s*(.*)$/m.exec(about)?.[1];
    return {
      name,
      text,
      description: (described ?? text.split("\n", 1)[0] ?? "").replace(/^#+\s*/, "").slice(0, 120),
    };
  } catch {
    return "Cannot use the prompt: the file cannot be read as UTF-8 text.";
  }
}
