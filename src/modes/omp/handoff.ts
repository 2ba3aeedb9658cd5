/**
 * A handoff: what is known and what is left goes as a briefing into a session of its own, in which the work goes on.
 */
import { askOnce } from "../../agent/ask_once.ts";
import { Fault } from "../../base/fault.ts";
import type { Desk } from "./desk.ts";
import { plainSummary, readableText } from "./readable_text.ts";

const SYSTEM =
  "You write a briefing for a colleague who takes over an analysis: what is known about the databases, what was asked and " +
  "found, with the final SQL and the figures, what was written, what is left to do. Write it so that nothing else need be read.";
/** Hosts give a command up after 30 s; then a briefing is made without the model. */
const PATIENCE_MS = 25_000;

/** Throws Fault: bad_state in mid-run or where nothing was said, no_model, cancelled. */
export async function handOff(desk: Desk, instructions: string | undefined) {
  const { conversation, sessions } = desk;
  if (conversation.isStreaming) {
    throw new Fault("bad_state", "Cannot hand off while a response is in progress");
  }
  const { tree, session } = conversation;
  const messages = tree.messages();
  if (messages.length === 0) throw new Fault("bad_state", "Nothing to hand off (no messages yet)");
  if (session.model.id === "") throw new Fault("no_model", "No model selected for handoff");
  const text = await conversation.compactor.hold(async (signal) => {
    const question = `Write the briefing.${instructions ? ` ${instructions}` : ""}\n\n${
      readableText(messages)
    }`;
    try {
      const bound = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
      return await askOnce(session.model, { system: SYSTEM, text: question, signal: bound });
    } catch {
      if (signal.aborted) throw new Fault("cancelled", "Handoff cancelled");
      return plainSummary(messages);
    }
  });
  const fresh = sessions.fresh({ parentSession: tree.path ?? tree.header.id });
  const phases = tree.todos;
  fresh.append({
    type: "message",
    message: {
      role: "custom",
      customType: "handoff",
      content: [{ type: "text", text }],
      display: true,
      timestamp: Date.now(),
    },
  });
  if (phases.length > 0) fresh.append({ type: "custom", customType: "todos", data: { phases } });
  conversation.moveTo(fresh);
  desk.approvals.forget();
  return {};
}
