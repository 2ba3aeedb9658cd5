/**
 * Prompts that begin with a slash and are answered here, without the model.
 */
import { toFault } from "../../base/fault.ts";
import type { Id } from "../../wire/frame.ts";
import type { Emit } from "./message_teller.ts";
import type { SavedPrompts } from "./saved_prompts.ts";

export interface SlashCommand {
  readonly name: string;
  readonly description: string;
  /** What may follow the name. */
  readonly hint?: string;
  /** It may take its time: the prompt is acknowledged first. */
  readonly isSlow?: true;
  /** It begins a run instead: the function does, once the prompt is acknowledged. Throws Faults. */
  begin?(): () => void;
  /** What the user is shown. Throws nothing but Faults, which are shown as well. */
  run(rest: string, signal: AbortSignal): Promise<string> | string;
}

/** As a host is told of it. */
type CommandEntry = {
  readonly name: string;
  readonly description: string;
  readonly input?: { readonly hint: string };
  readonly source: "builtin" | "file";
};

interface Given {
  readonly id: Id | undefined;
  afterReply(action: () => void): void;
}

export class SlashCommands {
  readonly #commands: ReadonlyMap<string, SlashCommand>;
  readonly #emit: Emit;
  readonly #saved: SavedPrompts;
  /** Those that take their time and are not over. */
  readonly #slow = new Set<AbortController>();

  constructor(commands: readonly SlashCommand[], { emit, saved }: { emit: Emit; saved: SavedPrompts }) {
    this.#commands = new Map(commands.map((command) => [command.name, command]));
    this.#emit = emit;
    this.#saved = saved;
  }

  /** Those that are answered here, and the prompts that a person has saved. */
  list(): CommandEntry[] {
    const ours = Array.from(this.#commands.values(), ({ name, description, hint }) => ({
      name,
      description,
      ...(hint === undefined ? {} : { input: { hint } }),
      source: "builtin" as const,
    }));
    const saved = this.#saved.list.filter(({ name }) => !this.#commands.has(name));
    return [
      ...ours,
      ...saved.map(({ name, description }) => ({ name, description, source: "file" as const })),
    ];
  }

  /** pi knows no built-in commands, only those of extensions. */
  listForPi() {
    return this.list().map(({ name, description, source }) => ({
      name,
      description,
      source: source === "file" ? "prompt" : "extension",
    }));
  }

  /** Undefined where the text is no command; otherwise whether it is over before the reply. */
  async run(text: string, { id, afterReply }: Given): Promise<{ readonly isOver: boolean } | undefined> {
    const [, name = "", rest = ""] = /^\/([a-z-]+)(?:\s+([^]*))?$/.exec(text.trim()) ?? [];
    const command = this.#commands.get(name);
    if (!command) return undefined;
    if (command.begin) {
      afterReply(command.begin());
      return { isOver: false };
    }
    const run = async (signal: AbortSignal) => {
      const shown = await Promise.resolve(command.run(rest.trim(), signal)).catch((error) =>
        toFault(error).message
      );
      await this.#emit("command_output", { text: shown });
    };
    if (!command.isSlow) {
      await run(new AbortController().signal);
      return { isOver: true };
    }
    const slow = new AbortController();
    this.#slow.add(slow);
    afterReply(() =>
      void run(slow.signal).finally(() => this.#slow.delete(slow)).then(() =>
        this.#emit("prompt_result", { ...(id === undefined ? {} : { id }), agentInvoked: false })
      )
    );
    return { isOver: false };
  }

  /** Ends the commands that take their time. */
  stop(): void {
    for (const slow of this.#slow) slow.abort();
  }
}
