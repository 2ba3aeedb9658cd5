/**
 * One request to the model: its stream as events, the SQL of tool calls previewed, the message at the end.
 */
import { abortable } from "../base/abortable.ts";
import { Fault } from "../base/fault.ts";
import type { AssistantMessage, ModelEvent } from "../llm/provider.ts";
import type { AgentEvent } from "./events.ts";
import { requestMessages } from "./request_messages.ts";
import type { Run } from "./run.ts";
import { SqlPreview } from "./sql_preview.ts";

const SQL_TOOL = "execute_sql";

export async function* askModel(run: Run): AsyncGenerator<AgentEvent, AssistantMessage> {
  const { signal, cut } = run;
  const { model, system, thinking } = run.asking();
  const tools = run.toolbox.specs();
  const messages = requestMessages(run, { model, system, tools });
  yield { type: "message_start" };
  const events = model.stream({ system, messages, tools, thinking, signal })[Symbol.asyncIterator]();
  const previews = new Map<number, { readonly id: string; readonly preview: SqlPreview }>();
  try {
    while (true) {
      const { done, value: event } = await abortable(events.next(), cut);
      if (done) throw new Fault("model_error", "Cannot use the model's answer: it has no end. Ask again.");
      if (event.type === "done") {
        yield { type: "message_end", message: event.message };
        return event.message;
      }
      yield { type: "message_update", update: event };
      if (event.type === "toolcall_start" && event.toolName === SQL_TOOL) {
        previews.set(event.contentIndex, { id: event.id, preview: new SqlPreview() });
      }
      const found = previews.get(event.contentIndex);
      const sql = found && news(found.preview, event);
      if (found && sql !== undefined) yield { type: "sql_update", toolCallId: found.id, sql };
    }
  } finally {
    // Nobody waits for a stream that may not end; its signal has told it to.
    events.return?.()?.catch(() => {});
  }
}

function news(preview: SqlPreview, event: ModelEvent): string | undefined {
  if (event.type === "toolcall_delta") return preview.push(event.delta);
  return event.type === "toolcall_end" ? preview.end() : undefined;
}
