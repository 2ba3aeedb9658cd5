/** Reads the events of a run and checks what every run keeps to. */
import assert from "node:assert/strict";
import type { AgentEnd, AgentEvent } from "../../src/agent/events.ts";

/** All events; there is one end, and it is the last. */
export async function readRun(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const all = await Array.fromAsync(events);
  assert.equal(all[0]?.type, "agent_start");
  assert.deepEqual(all.filter(({ type }) => type === "agent_end"), [all.at(-1)]);
  return all;
}

export function endOf(events: readonly AgentEvent[]): AgentEnd {
  const last = events.at(-1);
  return last?.type === "agent_end" ? last : assert.fail("there is no end");
}

/** The sentence of a run that failed. */
export function errorOf(events: readonly AgentEvent[]): string {
  const end = endOf(events);
  return end.status === "error" ? end.error : assert.fail(`the run was ${end.status}`);
}

/** The types in order, repeats of one type told once. */
export function outline(events: readonly AgentEvent[]): string[] {
  const types = events.map((event) => event.type === "message_update" ? event.update.type : event.type);
  return types.filter((type, n) => type !== types[n - 1]);
}
