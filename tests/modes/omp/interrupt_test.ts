/** What a steer does to the calls of a turn that have not begun: skipped in the mode immediate, made in the mode wait. */
import assert from "node:assert/strict";
import { startModelServer } from "../../support/model_server.ts";
import { type Frame, OmpHost } from "../../support/omp_host.ts";
import { shop } from "../../support/shop.ts";

/** A stream in which the model calls a tool of the host, then the database twice. */
function threeCalls(): string {
  const calls = [["hold", {}], ["list_tables", {}], ["execute_sql", { query: "SELECT 1 AS one" }]] as const;
  const toolCalls = calls.map(([name, args], index) => ({
    index,
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  const chunks = [
    { delta: { role: "assistant", tool_calls: toolCalls }, finish_reason: null },
    { delta: {}, finish_reason: "tool_calls" },
  ].map((choice) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
  return `${chunks.join("")}data: [DONE]\n\n`;
}

/** The ends of the calls, in their order, after a steer that came while the first one was with the host. */
async function endsIn(mode: "immediate" | "wait"): Promise<readonly Frame[]> {
  await using server = startModelServer([{ stream: { text: threeCalls() } }, { stream: "openai/text.sse" }]);
  await using host = new OmpHost({
    args: ["-d", await shop("sqlite"), "--model", "openai:m", "--no-session"],
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
  });
  const tools = [{ name: "hold", description: "Takes its time", parameters: {} }];
  await host.send({ type: "set_host_tools", tools });
  await host.send({ id: "m", type: "set_interrupt_mode", mode });
  assert.equal((await host.answer("m")).success, true);
  await host.send({ type: "prompt", message: "Look." });
  const { id } = await host.untilType("host_tool_call");
  await host.send({ id: "s", type: "steer", message: "Only Ireland." });
  await host.answer("s");
  await host.send({ type: "host_tool_result", id, result: { content: [{ type: "text", text: "held" }] } });
  const turn = await host.untilType("turn_end");
  assert.equal((turn.toolResults as unknown[]).length, 3);
  assert.equal((await host.next())?.type, "turn_start");
  assert.partialDeepStrictEqual(await host.next(), { message: { role: "user", steering: true } });
  await host.untilType("agent_end");
  const starts = host.frames.filter(({ type }) => type === "tool_execution_start");
  const ends = host.frames.filter(({ type }) => type === "tool_execution_end");
  assert.deepEqual(starts.map((each) => each.toolCallId), ends.map((each) => each.toolCallId));
  return ends;
}

Deno.test("immediate: the call that runs ends by itself, those after it are skipped and say so", async () => {
  const [first, ...rest] = await endsIn("immediate");
  assert.partialDeepStrictEqual(first, { isError: false, result: { content: [{ text: "held" }] } });
  assert.equal(rest.length, 2);
  for (const end of rest) {
    assert.equal(end.isError, true);
    assert.match(JSON.stringify(end.result), /Skipped due to queued user message/);
  }
});

Deno.test("wait: all calls of the turn are made first", async () => {
  const ends = await endsIn("wait");
  assert.deepEqual(ends.map(({ isError }) => isError), [false, false, false]);
  assert.match(JSON.stringify(ends[2]?.result), /returned_rows/);
});
