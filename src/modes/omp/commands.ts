/**
 * The command table of `saber --mode rpc`.
 */
import { type Command, command, type Commands } from "../../wire/dispatch.ts";
import type { Framing } from "./codec.ts";
import type { Desk } from "./desk.ts";
import { hostCommands } from "./host_commands.ts";
import { loginCommands } from "./login.ts";
import { runCommands } from "./run_commands.ts";
import { NegotiateProtocol, Nothing } from "./schemas.ts";
import { sessionCommands } from "./session_commands.ts";
import { stateCommands } from "./state_commands.ts";
import { subagentCommands } from "./subagent_commands.ts";

interface Line {
  readonly framing: Framing;
  /** Called when the host wants no more. */
  end(): void;
}

export function commandsOf(desk: Desk, { framing, end }: Line): Commands {
  const commands: Commands = {
    ...runCommands(desk),
    ...stateCommands(desk),
    ...sessionCommands(desk),
    ...hostCommands(desk),
    ...loginCommands(desk),
    ...subagentCommands(desk),
    negotiate_protocol: command({
      params: NegotiateProtocol,
      run: ({ protocolVersion }, { afterReply }) => {
        afterReply(() => framing.version = protocolVersion);
        return { protocolVersion };
      },
    }),
    shutdown: command({
      params: Nothing,
      lane: "urgent",
      run: (_params, { afterReply }) => {
        afterReply(end);
        return undefined;
      },
    }),
  };
  return { ...commands, ...tellingOfPi(commands, desk) };
}

/** Commands that only pi's hosts send. */
const PI_COMMANDS = [
  ...["get_commands", "fork", "get_fork_messages", "clone", "get_entries", "get_tree"],
  "get_available_thinking_levels",
];

function tellingOfPi(commands: Commands, { conversation }: Desk): Commands {
  return Object.fromEntries(PI_COMMANDS.flatMap((name): [string, Command][] => {
    const found = commands[name];
    if (!found) return [];
    const run: Command["run"] = async (params, context) => {
      conversation.knowsPi();
      return await found.run(params, context);
    };
    return [[name, { ...found, run }]];
  }));
}
