/**
 * The command table of `saber --mode rpc`.
 */
import { command, type Commands } from "../../wire/dispatch.ts";
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
  return {
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
}
