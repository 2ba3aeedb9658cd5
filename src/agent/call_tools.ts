/**
 * The tool calls of one response: run side by side, answered in their order. A tool that fails is a result that the
 * model reads; only cancellation, and a tool called wrongly time and again, end the run.
 */
import { abortable } from "../base/abortable.ts";
import { Fault, toFault } from "../base/fault.ts";
import { fullText } from "../base/fault_text.ts";
import { toJson } from "../base/json.ts";
import type { ToolCall } from "../llm/provider.ts";
import type { ToolOutput } from "../tools/tool.ts";
import type { AgentEvent, ToolEnd } from "./events.ts";
import { keep, type Run } from "./run.ts";

/** More calls than this in one response are no honest request. */
const MAX_CALLS = 64;
/** The run fails when so many responses in a row call one tool with arguments it does not take. */
const MAX_MISUSES = 2;

interface Outcome extends ToolOutput {
  readonly isError: boolean;
  /** The call itself was wrong, not what it asked for. */
  readonly isMisuse: boolean;
}

/** A call with its arguments, as far as they could be read. */
interface Reading {
  readonly call: ToolCall;
  readonly args: { readonly value: unknown } | { readonly broken: string };
}

export async function* callTools(run: Run, calls: readonly ToolCall[]): AsyncGenerator<AgentEvent, void> {
  if (calls.length > MAX_CALLS) {
    throw new Fault(
      "model_error",
      `The model called ${calls.length} tools at once; ${MAX_CALLS} are allowed. Ask again.`,
    );
  }
  const readings = calls.map((call): Reading => ({ call, args: readArgs(call.argumentsText) }));
  const misused = new Map<string, number>();
  const ended = ({ name }: ToolCall, { isMisuse }: Outcome) => {
    if (isMisuse) misused.set(name, (run.misuses.get(name) ?? 0) + 1);
  };
  yield* run.calls.order === "together"
    ? together(run, { readings, ended })
    : inTurn(run, { readings, ended });
  run.usage = { ...run.usage, toolCalls: run.usage.toolCalls + calls.length };
  run.misuses = misused;
  const [tool] = [...misused].find(([, times]) => times >= MAX_MISUSES) ?? [];
  if (tool !== undefined) {
    throw new Fault(
      "model_error",
      `The model called ${
        tool.slice(0, 60)
      } wrongly ${MAX_MISUSES} times in a row. Ask again, or choose another model.`,
    );
  }
}

interface Calling {
  readonly readings: readonly Reading[];
  ended(call: ToolCall, outcome: Outcome): void;
}

async function* together(run: Run, { readings, ended }: Calling): AsyncGenerator<AgentEvent, void> {
  for (const reading of readings) yield startOf(reading);
  run.signal.throwIfAborted();
  const running = readings.map((reading) => ({ call: reading.call, outcome: attempt(run, reading) }));
  for (const { call, outcome } of running) {
    const known = await abortable(outcome, run.cut);
    run.signal.throwIfAborted();
    ended(call, known);
    yield endOf(run, { call, outcome: known });
  }
}

async function* inTurn(run: Run, { readings, ended }: Calling): AsyncGenerator<AgentEvent, void> {
  for (const reading of readings) {
    yield startOf(reading);
    run.signal.throwIfAborted();
    const isSkipped = run.calls.order === "in turn" && run.calls.skips();
    const outcome = isSkipped ? SKIPPED : await abortable(attempt(run, reading), run.cut);
    run.signal.throwIfAborted();
    ended(reading.call, outcome);
    yield endOf(run, { call: reading.call, outcome });
  }
}

const SKIPPED: Outcome = {
  json: toJson({
    error: "Skipped due to queued user message. The call was not made: read what the user says first.",
  }),
  isError: true,
  isMisuse: false,
};

function startOf({ call, args }: Reading): AgentEvent {
  return { type: "tool_execution_start", call, args: "value" in args ? args.value : args.broken };
}

function endOf(run: Run, { call, outcome }: { call: ToolCall; outcome: Outcome }): AgentEvent {
  const { json: result, isMisuse: _, ...made } = outcome;
  const end: ToolEnd = { toolCallId: call.id, toolName: call.name, result, ...made };
  const { result: content, ...rest } = end;
  keep(run, { role: "toolResult", content, ...rest, timestamp: Date.now() });
  return { type: "tool_execution_end", end };
}

/** Never rejects, so that a call which nobody waits for any more does no harm. */
async function attempt(run: Run, { call, args }: Reading): Promise<Outcome> {
  const { name, id: callId } = call;
  try {
    if ("broken" in args) throw new Fault("bad_request", NO_OBJECT);
    const output = await run.toolbox.call(name, args.value, { signal: run.signal, callId });
    return { ...output, isError: false, isMisuse: false };
  } catch (error) {
    const fault = toFault(error);
    if (fault.code === "internal") run.log(`The tool ${name.slice(0, 60)} failed`, { level: "error", error });
    return {
      json: toJson({ error: fullText(fault) }),
      isError: true,
      isMisuse: fault.code === "bad_request",
    };
  }
}

const NO_OBJECT = "Cannot read the arguments: they are not a whole JSON object. Send the call again.";

/** Many models send nothing where a tool takes no arguments. */
function readArgs(text: string): Reading["args"] {
  if (text.trim() === "") return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { value };
  } catch {
    // What is no JSON is told like what is no object.
  }
  return { broken: text };
}
