/**
 * Every command with its flags, for what has to know them all: completion in shells. It loads all of them.
 */
import type { CommandInfo } from "./app.ts";
import { describeFlags } from "./args.ts";
import { ASK, type ModeEntry, MODES } from "./modes/registry.ts";

/** In the order of the help; the first, without words, is a question. A group has no flags. */
export async function listCommands(): Promise<readonly CommandInfo[]> {
  const commands: (CommandInfo | Promise<CommandInfo>)[] = [infoOf([], ASK)];
  for (const [word, entry] of Object.entries(MODES)) {
    commands.push(
      "load" in entry ? infoOf([word], entry) : { words: [word], summary: entry.summary, flags: [] },
    );
    for (const [second, command] of Object.entries(entry.commands ?? {})) {
      commands.push(infoOf([word, second], command));
    }
  }
  return await Promise.all(commands);
}

async function infoOf(words: readonly string[], { summary, load }: ModeEntry): Promise<CommandInfo> {
  const { usage } = await load();
  return { words, summary, flags: describeFlags(usage) };
}
