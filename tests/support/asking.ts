/** Asks a model one question and gathers what it says, for tests of adapters. */
import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import type { AssistantMessage, Model, ModelEvent, ModelRequest } from "../../src/llm/provider.ts";

/** Everything a request needs; tests override what they are about. */
export function question(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: "You answer briefly.",
    messages: [{ role: "user", content: "How many?", timestamp: 1 }],
    tools: [],
    thinking: "off",
    signal: new AbortController().signal,
    ...overrides,
  };
}

/** All events of one answer. */
export function ask(model: Model, overrides: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  return Array.fromAsync(model.stream(question(overrides)));
}

/** The finished message of one answer. */
export async function askForMessage(
  model: Model,
  overrides: Partial<ModelRequest> = {},
): Promise<AssistantMessage> {
  const last = (await ask(model, overrides)).at(-1);
  if (last?.type !== "done") throw new Error("the stream did not end with done");
  return last.message;
}

/** The Fault that this ends with. */
export async function faultOf(asking: Promise<unknown>): Promise<Fault> {
  const error = await asking.then(() => undefined, (error: unknown) => error);
  return error instanceof Fault ? error : assert.fail(`no Fault but ${Deno.inspect(error)}`);
}
