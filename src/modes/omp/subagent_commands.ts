/**
 * The commands about the helpers of a run: how much is told of them, who works now, what one has said.
 */
import { command, type Commands } from "../../wire/dispatch.ts";
import type { Desk } from "./desk.ts";
import { GetSubagentMessages, Nothing, SubscribeSubagents } from "./schemas.ts";

export function subagentCommands({ subagents }: Desk): Commands {
  return {
    set_subagent_subscription: command({
      params: SubscribeSubagents,
      run: ({ level }) => {
        subagents.level = level;
        return { level };
      },
    }),
    get_subagents: command({ params: Nothing, run: () => ({ subagents: subagents.list() }) }),
    get_subagent_messages: command({
      params: GetSubagentMessages,
      run: async ({ subagentId, sessionFile, fromByte }) => ({
        ...await subagents.read({
          subagentId: subagentId ?? undefined,
          sessionFile: sessionFile ?? undefined,
          fromByte: fromByte ?? 0,
        }),
      }),
    }),
  };
}
