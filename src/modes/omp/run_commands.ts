/**
 * The commands that begin, steer and end runs.
 */
import { Fault } from "../../base/fault.ts";
import { saveQueueMode } from "../../settings/queue_modes.ts";
import { command, type Commands } from "../../wire/dispatch.ts";
import { refreshCommands } from "./announce.ts";
import type { Desk } from "./desk.ts";
import type { ImageContent } from "./messages.ts";
import { seesImages } from "./models.ts";
import { Enabled, InterruptMode, Message, Nothing, Prompt, QueueMode } from "./schemas.ts";

type Given = { readonly message: string; readonly images?: readonly ImageContent[] | null | undefined };

export function runCommands(desk: Desk): Commands {
  const { conversation } = desk;
  return {
    prompt: command({
      params: Prompt,
      run: async ({ streamingBehavior, ...given }, { id, afterReply }) => {
        await conversation.settled();
        if (given.message.trimStart().startsWith("/")) await refreshCommands(desk);
        const local = await desk.slash.run(given.message, { id, afterReply });
        if (local) return local.isOver ? { agentInvoked: false } : undefined;
        if (streamingBehavior && conversation.isStreaming) {
          afterReply(say(desk, { given, how: streamingBehavior }));
        } else {
          conversation.requireReady();
          afterReply(conversation.accept([toMessage(desk, given)]));
        }
        return undefined;
      },
    }),
    steer: command({
      params: Message,
      run: async (given, { afterReply }) => {
        await conversation.settled();
        afterReply(say(desk, { given, how: "steer" }));
        return undefined;
      },
    }),
    follow_up: command({
      params: Message,
      run: async (given, { afterReply }) => {
        await conversation.settled();
        afterReply(say(desk, { given, how: "followUp" }));
        return undefined;
      },
    }),
    abort: command({
      params: Nothing,
      lane: "urgent",
      run: async () => {
        await conversation.abort({ resumes: true });
        return undefined;
      },
    }),
    abort_and_prompt: command({
      params: Message,
      lane: "urgent",
      run: async (given, { afterReply }) => {
        conversation.requireModel();
        const message = toMessage(desk, given);
        await conversation.settled();
        await conversation.abort({ resumes: false });
        afterReply(conversation.accept([message]));
        return undefined;
      },
    }),
    ...queueCommands(desk),
  };
}

function queueCommands({ conversation, app }: Desk): Commands {
  const { config: folder } = app.config.folders;
  const { session, retries } = conversation;
  return {
    set_steering_mode: command({
      params: QueueMode,
      run: async ({ mode, persist }) => {
        session.queue.steeringMode = mode;
        if (persist) await saveQueueMode(folder, { name: "steeringMode", mode });
        return undefined;
      },
    }),
    set_follow_up_mode: command({
      params: QueueMode,
      run: async ({ mode, persist }) => {
        session.queue.followUpMode = mode;
        if (persist) await saveQueueMode(folder, { name: "followUpMode", mode });
        return undefined;
      },
    }),
    set_interrupt_mode: command({
      params: InterruptMode,
      run: async ({ mode, persist }) => {
        session.interruptMode = mode;
        if (persist) await saveQueueMode(folder, { name: "interruptMode", mode });
        return undefined;
      },
    }),
    set_auto_retry: command({
      params: Enabled,
      run: ({ enabled }) => {
        retries.isEnabled = enabled;
        return undefined;
      },
    }),
    abort_retry: command({
      params: Nothing,
      run: () => {
        retries.stop();
        return undefined;
      },
    }),
    clear_queue: command({
      params: Nothing,
      run: () => {
        const { steers, followUps } = session.queue.clear();
        void conversation.tellQueue();
        return {
          steering: steers.map(({ content }) => content),
          followUp: followUps.map(({ content }) => content),
        };
      },
    }),
  };
}

/** Queues it, or begins a run with it; call the returned function when the host knows. */
function say(
  desk: Desk,
  { given, how }: { readonly given: Given; readonly how: "steer" | "followUp" },
): () => void {
  const { conversation, interrupts } = desk;
  const told = conversation.queue(toMessage(desk, given), how);
  if (how === "steer" && conversation.session.interruptMode === "immediate") interrupts.steered();
  return told;
}

function toMessage({ conversation, savedPrompts }: Desk, { message, images }: Given) {
  if (images && images.length > 0 && !seesImages(conversation.session.model)) {
    throw new Fault("bad_request", `Model ${conversation.session.model.name} does not accept images`);
  }
  if (!/\S/.test(message) && !images?.length) {
    throw new Fault("bad_request", "message must be a non-empty string");
  }
  return {
    role: "user",
    content: savedPrompts.expand(message),
    images: images ?? [],
    timestamp: Date.now(),
  } as const;
}
