/**
 * The command table of `saber rpc`. What a run is and how it ends is conversation.ts's.
 */
import type { Commands } from "../../wire/dispatch.ts";
import type { Conversation } from "./conversation.ts";
import { readCommands } from "./read_commands.ts";
import { runCommands } from "./run_commands.ts";
import { settingCommands } from "./setting_commands.ts";

/** `end` is called when the host wants no more. */
export function commandsOf(conversation: Conversation, end: () => void): Commands {
  const commands: Commands = {
    ...runCommands(conversation, end),
    ...settingCommands(conversation),
    ...readCommands(conversation),
  };
  const open = Object.entries(commands).map(([name, { lane, run }]): [string, Commands[string]] => [name, {
    lane,
    run: async (params, context) => {
      conversation.requireOpen();
      return await run(params, context);
    },
  }]);
  return Object.fromEntries(open);
}
