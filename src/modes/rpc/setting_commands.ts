/**
 * The commands that change the session between runs; each answers with the state.
 */
import { abortable } from "../../base/abortable.ts";
import { command, type Commands } from "../../wire/dispatch.ts";
import type { Conversation } from "./conversation.ts";
import { NewSession, Nothing, SetThinkingLevel } from "./schemas.ts";

export function settingCommands(conversation: Conversation): Commands {
  const { session } = conversation;
  return {
    new_session: command({
      params: NewSession,
      run: async (_params, { signal }) => {
        await abortable(conversation.settled, signal);
        conversation.startAnew();
        return conversation.state();
      },
    }),
    set_thinking_level: command({
      params: SetThinkingLevel,
      run: ({ level }) => {
        conversation.requireIdle();
        session.setThinkingLevel(level);
        return conversation.state();
      },
    }),
    reload_model: command({
      params: Nothing,
      run: async () => {
        await conversation.reloadModel();
        return conversation.state();
      },
    }),
  };
}
