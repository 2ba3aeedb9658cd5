/**
 * The loop: the model, its tools, the model again … until it answers. One generator a run; pulling it slowly slows the
 * model. What the conversation was before, and what becomes of a finished turn, is session.ts's.
 */
import { Fault, toFault } from "../base/fault.ts";
import { fullText } from "../base/fault_text.ts";
import type { AssistantMessage } from "../llm/provider.ts";
import { answerText } from "./answer_text.ts";
import { askModel } from "./ask_model.ts";
import { callTools } from "./call_tools.ts";
import type { AgentEnd, AgentEvent, Turn } from "./events.ts";
import type { Moment } from "./message_queue.ts";
import { keep, type Run, type RunOptions } from "./run.ts";
import { withRequest } from "./run_usage.ts";

/** Requests to the model in one run. */
const MAX_REQUESTS = 50;

/** Begins with `agent_start`; ends with exactly one `agent_end`, whatever happens. Never throws. */
export async function* runAgent(options: RunOptions): AsyncGenerator<AgentEvent, void> {
  const left = new AbortController();
  const run: Run = {
    ...options,
    signal: AbortSignal.any([options.signal, left.signal]),
    messages: [...options.prompt],
    written: 0,
    usage: { requests: 0, toolCalls: 0 },
    leftOut: 0,
    misuses: new Map(),
  };
  yield { type: "agent_start" };
  let end: AgentEnd;
  try {
    end = { type: "agent_end", status: "completed", turn: yield* converse(run) };
  } catch (error) {
    end = options.signal.aborted ? { type: "agent_end", status: "aborted" } : failed(run, error);
  } finally {
    // A consumer that leaves early stops the model and the tools.
    left.abort();
  }
  yield end;
}

async function* converse(run: Run): AsyncGenerator<AgentEvent, Turn> {
  let isMore = run.prompt.length > 0;
  while (run.usage.requests < MAX_REQUESTS) {
    yield* deliver(run, { atEnd: false, isMore });
    run.signal.throwIfAborted();
    const { price } = run.asking().model;
    const message = yield* askModel(run);
    run.signal.throwIfAborted();
    keep(run, message);
    run.usage = withRequest(run.usage, { usage: message.usage, price });
    const calls = message.content.filter((block) => block.type === "toolCall");
    if (calls.length > 0) yield* callTools(run, calls);
    isMore = calls.length === 0 && (yield* deliver(run, { atEnd: true }));
    if (calls.length === 0 && !isMore) return toTurn(run, message);
  }
  throw new Fault(
    "model_error",
    `The model did not come to an answer within ${MAX_REQUESTS} requests. Ask for less at once.`,
  );
}

/** Whether there was anything to deliver. */
async function* deliver(
  run: Run,
  moment: Moment,
): AsyncGenerator<AgentEvent, boolean> {
  const delivery = run.take(moment);
  if (!delivery) return false;
  for (const message of delivery.messages) keep(run, message);
  yield { type: "queue_update", delivery };
  return true;
}

function toTurn({ messages, usage }: Run, last: AssistantMessage): Turn {
  const text = answerText(last);
  if (text.trim() === "") throw emptyAnswer(last);
  const results = messages.filter((message) => message.role === "toolResult");
  const queryResults = results.flatMap(({ queryResult }) => queryResult ?? []);
  const artifacts = results.flatMap(({ artifacts }) => artifacts ?? []);
  return { text, messages, usage, queryResults, artifacts };
}

function emptyAnswer({ stopReason }: AssistantMessage): Fault {
  const why = stopReason === "length"
    ? "it reached its length limit before the first word. Ask for less, or set a lower thinking level"
    : stopReason === "contentFilter"
    ? "the provider's content filter held it back. Ask in other words"
    : "it is empty. Ask again, or choose another model";
  return new Fault("model_error", `Cannot use the model's answer: ${why}.`);
}

function failed({ log }: Run, error: unknown): AgentEnd {
  const fault = toFault(error);
  if (fault.code === "internal") log("A run failed", { level: "error", error });
  return { type: "agent_end", status: "error", error: fullText(fault), fault };
}
