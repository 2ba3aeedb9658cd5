/**
 * The command table of `saber --mode rpc`.
 */
import { command, type Commands } from "../../wire/dispatch.ts";
import type { Desk } from "./desk.ts";
import { hostCommands } from "./host_commands.ts";
import { loginCommands } from "./login.ts";
import { runCommands } from "./run_commands.ts";
import { Nothing } from "./schemas.ts";
import { sessionCommands } from "./session_commands.ts";
import { stateCommands } from "./state_commands.ts";
import { subagentCommands } from "./subagent_commands.ts";

/** `end` is called when the host wants no more. */
export function commandsOf(desk: Desk, end: () => void): Commands {
  return {
    ...runCommands(desk),
    ...stateCommands(desk),
    ...sessionCommands(desk),
    ...hostCommands(desk),
    ...loginCommands(desk),
    ...subagentCommands(desk),
    shutdown: command({
      params: Nothing,
      lane: "urgent",
      run: (_params, { afterReply }) => {
        afterReply(end);
        return undefined;
      },
    }),
  };
}
