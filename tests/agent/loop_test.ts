import assert from "node:assert/strict";
import type { AgentEvent } from "../../src/agent/events.ts";
import { runAgent } from "../../src/agent/loop.ts";
import { keep, type Run, type RunOptions } from "../../src/agent/run.ts";
import { Fault } from "../../src/base/fault.ts";
import type { UserMessage } from "../../src/llm/provider.ts";
import { openModel } from "../../src/llm/registry.ts";
import { type ModelServer, startModelServer } from "../support/model_server.ts";
import { endOf, errorOf, outline, readRun } from "../support/run_events.ts";
import { shopToolbox, toolboxOf } from "../support/toolbox.ts";

const user = (content: string): UserMessage => ({ role: "user", content, timestamp: 1 });

function optionsOf(server: ModelServer, overrides: Partial<RunOptions> = {}): RunOptions {
  return {
    asking: () => ({
      model: openModel("openai:m", { OPENAI_API_KEY: "sk-1", OPENAI_BASE_URL: server.baseUrl }),
      system: "Answer.",
      thinking: "off",
    }),
    calls: { order: "together" },
    toolbox: toolboxOf({ list_tables: () => ({ json: "{}" }), execute_sql: () => ({ json: "{}" }) }),
    history: [],
    prompt: [user("How many?")],
    signal: new AbortController().signal,
    cut: new AbortController().signal,
    take: () => undefined,
    log: () => {},
    warn: () => {},
    ...overrides,
  };
}

function runOn(server: ModelServer, overrides: Partial<RunOptions> = {}): Promise<AgentEvent[]> {
  return readRun(runAgent(optionsOf(server, overrides)));
}

const play = (...names: string[]) => names.map((name) => ({ stream: `openai/${name}.sse` }));

/** The messages of the n-th request. */
function messagesOf(server: ModelServer, n: number): unknown[] {
  const body = server.asked[n]?.body;
  const messages = typeof body === "object" && body !== null && "messages" in body
    ? body.messages
    : undefined;
  return Array.isArray(messages) ? messages : assert.fail("no such request");
}

Deno.test("a question is answered with the shop's data", async () => {
  await using server = startModelServer(play("top_customers_1", "top_customers_2", "top_customers_3"));
  const events = await runOn(server, {
    toolbox: await shopToolbox(),
    prompt: [user("Top 5 customers by revenue")],
  });
  const call = ["toolcall_start", "toolcall_delta", "toolcall_end"];
  const text = ["text_start", "text_delta", "text_end"];
  const tool = ["tool_execution_start", "tool_execution_end"];
  const withSql = outline(events).filter((type) => type !== "sql_update");
  assert.deepEqual(withSql.filter((type, n) => type !== withSql[n - 1]), [
    "agent_start",
    ...["message_start", ...text, ...call, "message_end", ...tool],
    ...["message_start", ...call, "message_end", ...tool],
    ...["message_start", ...text, "message_end"],
    "agent_end",
  ]);
  const told = events.filter((event) => event.type === "sql_update");
  assert.ok(told.length > 20);
  const starts = events.filter((event) => event.type === "tool_execution_start");
  assert.deepEqual(starts.map(({ args }) => args), [{}, { query: told.at(-1)?.sql }]);
  assert.deepEqual(new Set(told.map(({ toolCallId }) => toolCallId)), new Set([starts[1]?.call.id]));
  const end = endOf(events);
  assert.ok(end.status === "completed");
  assert.match(end.turn.text, /Jones & Sons\*\* \(Switzerland\) – 293,801\.05/);
  assert.deepEqual(end.turn.usage, {
    inputTokens: 3066,
    outputTokens: 235,
    cacheReadTokens: 1792,
    contextTokens: 1309,
    requests: 3,
    toolCalls: 2,
  });
  assert.deepEqual(end.turn.messages.map(({ role }) => role), [
    "user",
    ...["assistant", "toolResult"],
    ...["assistant", "toolResult"],
    "assistant",
  ]);
  const [, , , , , result] = messagesOf(server, 2);
  assert.match(JSON.stringify(result), /Jones & Sons[^[]*293801\.05.*Šimek B\.V\./);
  assert.deepEqual(messagesOf(server, 2).slice(0, 4), messagesOf(server, 1));
});

Deno.test("the calls of one response run side by side and are answered in order", async () => {
  await using server = startModelServer(play("interleaved_calls", "text"));
  const listed = Promise.withResolvers<void>();
  const toolbox = toolboxOf({
    list_tables: () => {
      listed.resolve();
      return { json: '{"of":"list_tables"}' };
    },
    // The first calls end only when the last one has begun.
    execute_sql: async (args) => {
      await listed.promise;
      return { json: JSON.stringify(args) };
    },
  });
  const events = await runOn(server, { toolbox });
  const ends = events.filter((event) => event.type === "tool_execution_end").map(({ end }) => end);
  assert.deepEqual(ends.map(({ toolCallId }) => toolCallId), ["call_A", "call_B", "call_C"]);
  assert.deepEqual(ends.map(({ result }) => result), [
    '{"query":"SELECT 1"}',
    '{"query":"SELECT \\"Größe\\" FROM 🦕t"}',
    '{"of":"list_tables"}',
  ]);
  const sql = events.filter((event) => event.type === "sql_update");
  assert.equal(sql.findLast(({ toolCallId }) => toolCallId === "call_B")?.sql, 'SELECT "Größe" FROM 🦕t');
  const [, , , ...results] = messagesOf(server, 1);
  assert.deepEqual(
    results,
    ends.map(({ toolCallId, result }) => ({ role: "tool", tool_call_id: toolCallId, content: result })),
  );
});

Deno.test("a tool that fails is a result that the model reads", async () => {
  await using server = startModelServer(play("list_tables", "text"));
  const toolbox = toolboxOf({
    list_tables: () => {
      const words = { message: 'relation "x"\ndoes not exist', hint: "Try y." };
      throw new Fault("unknown_relation", "Cannot find the table.", { server: words });
    },
  });
  const events = await runOn(server, { toolbox });
  const result = '{"error":"Cannot find the table. The server says: relation \\"x\\" does not exist Try y."}';
  const end = events.find((event) => event.type === "tool_execution_end")?.end;
  assert.deepEqual(end, { toolCallId: "call_again", toolName: "list_tables", result, isError: true });
  assert.partialDeepStrictEqual(messagesOf(server, 1).at(-1), { role: "tool", content: result });
  assert.equal(endOf(events).status, "completed");
});

Deno.test("a defect of a tool is logged, and the model reads that there was one", async () => {
  await using server = startModelServer(play("list_tables", "text"));
  const logged: unknown[] = [];
  const defect = new TypeError("secret innards");
  const events = await runOn(server, {
    toolbox: toolboxOf({ list_tables: () => Promise.reject(defect) }),
    log: (_, { error }) => logged.push(error),
  });
  assert.deepEqual(logged, [defect]);
  const end = events.find((event) => event.type === "tool_execution_end")?.end;
  assert.match(end?.result ?? "", /^\{"error":"Internal error: /);
  assert.ok(!JSON.stringify(events).includes("innards"));
});

for (
  const [stream, says] of [["unknown_tool", /there are only/], [
    "broken_arguments",
    /not a whole JSON object/,
  ]] as const
) {
  Deno.test(`a wrong call may be corrected once: ${stream}`, async () => {
    await using server = startModelServer(play(stream, "text"));
    const events = await runOn(server);
    const end = events.find((event) => event.type === "tool_execution_end")?.end;
    assert.ok(end?.isError);
    assert.match(end.result, says);
    assert.equal(endOf(events).status, "completed");
  });

  Deno.test(`a wrong call in two responses running fails the run: ${stream}`, async () => {
    await using server = startModelServer(play(stream, stream, "text"));
    const events = await runOn(server);
    assert.match(
      errorOf(events),
      /^The model called (drop_everything|execute_sql) wrongly 2 times in a row\. /,
    );
    assert.equal(server.asked.length, 2);
    assert.equal(events.filter((event) => event.type === "tool_execution_end").length, 2);
  });
}

Deno.test("a right call in between makes wrong ones bearable", async () => {
  await using server = startModelServer(
    play("broken_arguments", "list_tables", "broken_arguments", "unknown_tool", "text"),
  );
  assert.equal(endOf(await runOn(server)).status, "completed");
});

Deno.test("arguments that cannot be read are told as they came", async () => {
  await using server = startModelServer(play("broken_arguments", "text"));
  const start = (await runOn(server)).find((event) => event.type === "tool_execution_start");
  assert.equal(start?.args, '{"query": "SELECT count(*) FROM orders');
});

Deno.test("a model that calls tools for ever is stopped after 50 requests", async () => {
  await using server = startModelServer(() => ({ stream: "openai/list_tables.sse" }));
  assert.match(errorOf(await runOn(server)), /did not come to an answer within 50 requests/);
  assert.equal(server.asked.length, 50);
});

Deno.test("more calls at once than anyone means are refused", async () => {
  const deltas = Array.from({ length: 65 }, (_, index) => ({
    index,
    id: `c${index}`,
    function: { name: "list_tables", arguments: "{}" },
  }));
  const choices = [{ delta: { tool_calls: deltas }, finish_reason: "tool_calls" }];
  await using server = startModelServer([{ stream: { text: `data: ${JSON.stringify({ choices })}\n\n` } }]);
  assert.match(errorOf(await runOn(server)), /called 65 tools at once; 64 are allowed/);
});

Deno.test("what the model server says reaches the end of the run", async () => {
  await using server = startModelServer(play("error_midstream"));
  const events = await runOn(server);
  assert.deepEqual(outline(events), [
    "agent_start",
    "message_start",
    "text_start",
    "text_delta",
    "agent_end",
  ]);
  assert.match(
    errorOf(events),
    /reported a failure \(HTTP 502\)\. Ask again\. The server says: Upstream worker/,
  );
});

for (const [stream, says] of [["empty", /it is empty/], ["content_filter", /content filter/]] as const) {
  Deno.test(`an answer of nothing is no answer: ${stream}`, async () => {
    await using server = startModelServer(play(stream));
    assert.match(errorOf(await runOn(server)), says);
  });
}

Deno.test("an answer that was cut or refused is told as it is", async () => {
  for (const [stream, stopReason] of [["length", "length"], ["refusal", "contentFilter"]] as const) {
    await using server = startModelServer(play(stream));
    const end = endOf(await runOn(server));
    assert.ok(end.status === "completed");
    assert.partialDeepStrictEqual(end.turn.messages.at(-1), { role: "assistant", stopReason });
  }
});

Deno.test("usage that one request did not tell is unknown for the run", async () => {
  await using server = startModelServer(play("list_tables", "text"));
  const end = endOf(await runOn(server));
  assert.ok(end.status === "completed");
  assert.deepEqual(end.turn.usage, { contextTokens: 311, requests: 2, toolCalls: 1 });
});

Deno.test("leaving the events stops the tools and the request", async () => {
  await using server = startModelServer([...play("list_tables"), {
    stream: "openai/text.sse",
    stallAt: 700,
  }]);
  const seen: AbortSignal[] = [];
  const toolbox = toolboxOf({
    list_tables: (_, { signal }) => {
      seen.push(signal);
      return { json: "{}" };
    },
  });
  for await (const event of runAgent(optionsOf(server, { toolbox }))) {
    if (event.type === "message_update" && event.update.type === "text_start") break;
  }
  assert.equal(seen[0]?.aborted, true);
  assert.equal(await server.asked[1]?.over, "given up");
});

Deno.test("what the user says in mid-run is told with the next request", async () => {
  await using server = startModelServer(play("list_tables", "text", "text"));
  const queue: UserMessage[] = [];
  const take = () => {
    const messages = queue.splice(0);
    return messages.length === 0 ? undefined : { how: "steer", messages } as const;
  };
  const toolbox = toolboxOf({
    list_tables: () => {
      queue.push(user("Only Ireland."), user("And 2025."));
      return { json: "{}" };
    },
  });
  const events: AgentEvent[] = [];
  for await (const event of runAgent(optionsOf(server, { toolbox, take }))) {
    events.push(event);
    const isText = event.type === "message_update" && event.update.type === "text_start";
    if (isText && server.asked.length === 2) queue.push(user("Briefly."));
  }
  assert.deepEqual(messagesOf(server, 1).slice(-2), [
    { role: "user", content: "Only Ireland." },
    { role: "user", content: "And 2025." },
  ]);
  // Said while the last text came: the run goes on with one more request.
  assert.deepEqual(messagesOf(server, 2).at(-1), { role: "user", content: "Briefly." });
  assert.deepEqual(outline(events).filter((type) => /^(queue|message)_(update|start|end)$/.test(type)), [
    "message_start",
    ...["message_end", "queue_update", "message_start"],
    ...["message_end", "queue_update", "message_start"],
    "message_end",
  ]);
  const end = endOf(events);
  assert.ok(end.status === "completed");
  assert.deepEqual(end.turn.messages.map(({ role }) => role), [
    "user",
    ...["assistant", "toolResult", "user", "user"],
    ...["assistant", "user"],
    "assistant",
  ]);
});

Deno.test("the messages of one run have an end", async () => {
  await using server = startModelServer([]);
  const counts = { usage: { requests: 0, toolCalls: 0 }, leftOut: 0, misuses: new Map(), written: 0 };
  const run: Run = { ...optionsOf(server), ...counts, messages: [] };
  const message = user("\u0001".repeat(1 << 18));
  assert.throws(() => {
    for (let n = 0; n < 1000; n++) keep(run, message);
  }, /its messages have more than 128 million characters\. Ask for less at once\./);
  assert.ok(run.messages.length < 86);
});
