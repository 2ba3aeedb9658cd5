/**
 * The commands that begin, steer and end runs, and the session.
 */
import { abortable } from "../../base/abortable.ts";
import { uuidV7 } from "../../base/uuid_v7.ts";
import { command, type CommandContext, type Commands } from "../../wire/dispatch.ts";
import type { AnswerTo } from "./contract/spelled.ts";
import type { Conversation } from "./conversation.ts";
import { Nothing, Prompt, Steer } from "./schemas.ts";

/** `end` is called when the host wants no more. */
export function runCommands(conversation: Conversation, end: () => void): Commands {
  const { session } = conversation;
  return {
    prompt: command({
      params: Prompt,
      run: async ({ message, streamingBehavior }, { id, signal, afterReply }) => {
        await conversation.begun;
        if (streamingBehavior === "steer" && session.takesSteers) {
          return steer(conversation, { message, afterReply });
        }
        await abortable(conversation.settled, signal);
        afterReply(conversation.accept(message, id));
        return undefined;
      },
    }),
    steer: command({
      params: Steer,
      run: async ({ message }, { afterReply }) => {
        await conversation.begun;
        return steer(conversation, { message, afterReply });
      },
    }),
    clear_queue: command({
      params: Nothing,
      run: async (_params, { afterReply }) => {
        await conversation.begun;
        const { steering, told } = conversation.clearSteers();
        afterReply(told);
        return { steering } satisfies AnswerTo<"clear_queue">;
      },
    }),
    abort: command({
      params: Nothing,
      lane: "urgent",
      run: async () => ({ aborted: await conversation.abort() }) satisfies AnswerTo<"abort">,
    }),
    shutdown: command({
      params: Nothing,
      lane: "urgent",
      run: async (_params, { afterReply }) => {
        await conversation.close();
        afterReply(end);
        return undefined;
      },
    }),
  };
}

function steer(
  conversation: Conversation,
  { message, afterReply }: { message: string; afterReply: CommandContext["afterReply"] },
): AnswerTo<"steer"> {
  const { pendingSteers, told } = conversation.steer(message);
  afterReply(told);
  return { enqueueId: uuidV7(), pendingSteers };
}
