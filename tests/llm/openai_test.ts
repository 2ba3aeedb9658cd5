import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import { openaiModel } from "../../src/llm/openai.ts";
import type {
  AssistantMessage,
  ContentBlock,
  Model,
  ModelEvent,
  ModelOptions,
} from "../../src/llm/provider.ts";
import { ask, askForMessage, question } from "../support/asking.ts";
import { type ModelServer, type Play, startModelServer } from "../support/model_server.ts";
import { mutate, random } from "../support/mutate.ts";

const KEY = "sk-test-0123456789abcdef";

function modelOf(server: Pick<ModelServer, "baseUrl">, options: Partial<ModelOptions> = {}): Model {
  return openaiModel({
    id: "openai:gpt-test",
    apiKey: KEY,
    efforts: { low: "low", maximum: "xhigh" },
    silenceMs: 20_000,
    ...options,
    baseUrl: options.baseUrl ?? server.baseUrl,
  });
}

const text = (text: string): ContentBlock => ({ type: "text", text });
const thinking = (thinking: string): ContentBlock => ({ type: "thinking", thinking });
const call = (id: string, name: string, argumentsText: string): ContentBlock => ({
  type: "toolCall",
  id,
  name,
  argumentsText,
});

type Expected = Pick<AssistantMessage, "content" | "usage" | "stopReason">;

/** What each recorded stream says; `call_*` stands for an id of our own. */
const RECORDED: { readonly [stream: string]: Expected } = {
  text: {
    content: [text("Es gibt 63 Kundinnen – naïve 東京 🦕.")],
    usage: { inputTokens: 311, outputTokens: 14 },
    stopReason: "stop",
  },
  thinking: {
    content: [thinking("The question needs one count."), text("There are 8808 orders.")],
    usage: { inputTokens: 120, outputTokens: 31, cacheReadTokens: 64 },
    stopReason: "stop",
  },
  keep_alive: {
    content: [text("63 customers.")],
    usage: { inputTokens: 90, outputTokens: 3 },
    stopReason: "stop",
  },
  interleaved_calls: {
    content: [
      text("Three look-ups."),
      call("call_A", "execute_sql", '{"query":"SELECT 1"}'),
      call("call_B", "execute_sql", '{"query": "SELECT \\"Größe\\" FROM \\ud83e\\udd95t"}'),
      call("call_C", "list_tables", ""),
    ],
    usage: { inputTokens: 402, outputTokens: 66 },
    stopReason: "toolUse",
  },
  reused_index: {
    content: [
      thinking("Two things to look up."),
      call("call_q0z8w4k1", "list_tables", "{}"),
      call("call_q1z8w4k1", "execute_sql", '{"query":"SELECT count(*) FROM orders"}'),
    ],
    usage: null,
    stopReason: "toolUse",
  },
  calls_without_ids: {
    content: [
      call("call_*", "list_tables", "{}"),
      call("call_*", "execute_sql", '{"query":"SELECT 1"}'),
      call("call_*", "execute_sql", '{"query": "SELECT 2"}'),
    ],
    usage: null,
    stopReason: "toolUse",
  },
  broken_arguments: {
    content: [call("call_bad1", "execute_sql", '{"query": "SELECT count(*) FROM orders')],
    usage: null,
    stopReason: "toolUse",
  },
  refusal: {
    content: [text("I'm sorry, I can't help with that.")],
    usage: { inputTokens: 80, outputTokens: 9 },
    stopReason: "contentFilter",
  },
  content_filter: { content: [], usage: null, stopReason: "contentFilter" },
  length: {
    content: [text("The list begins with")],
    usage: { inputTokens: 80, outputTokens: 4 },
    stopReason: "length",
  },
  empty: { content: [], usage: { inputTokens: 80, outputTokens: 0 }, stopReason: "stop" },
  top_customers_1: {
    content: [text("I'll look at the tables first."), call("call_x7Rk2mQ9sLwT", "list_tables", "{}")],
    usage: { inputTokens: 742, outputTokens: 19, cacheReadTokens: 0 },
    stopReason: "toolUse",
  },
};

/** Ids of our own and times differ from run to run. */
function comparable<Value>(value: Value): unknown {
  return JSON.parse(
    JSON.stringify(
      value,
      (key, member) =>
        key === "timestamp"
          ? 0
          : key === "id" && /^call_[0-9a-f]{32}$/.test(String(member))
          ? "call_*"
          : member,
    ),
  );
}

/** The message that the starts, deltas and ends alone tell of. */
function rebuilt(events: readonly ModelEvent[]): ContentBlock[] {
  const open = new Map<number, string>();
  const blocks: ContentBlock[] = [];
  for (const event of events) {
    if (event.type === "done") continue;
    const at = event.contentIndex;
    if (event.type.endsWith("_start")) {
      assert.ok(!open.has(at) && blocks[at] === undefined, "a block began twice");
      open.set(at, "");
    } else if ("delta" in event) {
      assert.notEqual(event.delta, "");
      open.set(at, (open.get(at) ?? assert.fail("a delta before its start")) + event.delta);
    } else if (event.type === "toolcall_end") {
      assert.equal(open.get(at), event.toolCall.argumentsText);
      blocks[at] = event.toolCall;
    } else if (event.type === "text_end" || event.type === "thinking_end") {
      assert.equal(open.get(at), event.content);
      blocks[at] = event.type === "text_end" ? text(event.content) : thinking(event.content);
    }
  }
  assert.equal(open.size, Object.keys(blocks).length, "a block never ended");
  return blocks;
}

for (const [name, expected] of Object.entries(RECORDED)) {
  Deno.test(`the recorded stream ${name}, whole and cut at every byte`, async () => {
    const stream = `openai/${name}.sse`;
    const { size } = await Deno.stat(new URL(`../../fixtures/streams/${stream}`, import.meta.url));
    await using server = startModelServer((n) => ({ stream, ...(n === 0 ? {} : { pieces: { cutAt: n } }) }));
    const model = modelOf(server);
    const whole = await ask(model);
    const message = await askForMessage(model);
    assert.deepEqual(
      comparable(message),
      comparable({ role: "assistant", ...expected, model: "gpt-test", timestamp: 0 }),
    );
    assert.deepEqual(rebuilt(whole), whole.at(-1)?.type === "done" ? contentOf(whole) : []);
    const once = async () => {
      while (server.asked.length < size) assert.deepEqual(comparable(await ask(model)), comparable(whole));
    };
    await Promise.all(Array.from({ length: 16 }, once));
  });
}

function contentOf(events: readonly ModelEvent[]): readonly ContentBlock[] {
  const last = events.at(-1);
  return last?.type === "done" ? last.message.content : [];
}

Deno.test("a stream byte by byte gives the same answer", async () => {
  const stream = "openai/keep_alive.sse";
  await using server = startModelServer([{ stream, pieces: { every: 1 } }, { stream }]);
  const model = modelOf(server);
  assert.deepEqual(comparable(await ask(model)), comparable(await ask(model)));
});

Deno.test("an id that the conversation already has is replaced", async () => {
  await using server = startModelServer(() => ({ stream: "openai/list_tables.sse" }));
  const { content: [first] } = await askForMessage(modelOf(server));
  assert.deepEqual(first, call("call_again", "list_tables", "{}"));
  const { content: [second] } = await askForMessage(modelOf(server), {
    messages: [{
      role: "toolResult",
      toolCallId: "call_again",
      toolName: "list_tables",
      content: "{}",
      isError: false,
      timestamp: 1,
    }],
  });
  assert.match(second?.type === "toolCall" ? second.id : "", /^call_[0-9a-f]{32}$/);
});

Deno.test("the request that leaves the process", async () => {
  await using server = startModelServer(() => ({ stream: "openai/text.sse" }));
  await ask(modelOf(server), {
    thinking: "maximum",
    tools: [{ name: "list_tables", description: "Lists", parameters: { type: "object", properties: {} } }],
    messages: [
      { role: "user", content: "Lone \ud800 half", timestamp: 1 },
      {
        role: "assistant",
        content: [thinking("Hm."), text("I'll "), text("look."), {
          type: "toolCall",
          id: "c1",
          name: "list_tables",
          argumentsText: "{}",
        }, { type: "toolCall", id: "c2", name: "execute_sql", argumentsText: '{"query": ' }],
        model: "gpt-test",
        usage: null,
        stopReason: "toolUse",
        timestamp: 1,
      },
      {
        role: "toolResult",
        toolCallId: "c1",
        toolName: "list_tables",
        content: "{}",
        isError: false,
        timestamp: 1,
      },
      {
        role: "toolResult",
        toolCallId: "c2",
        toolName: "execute_sql",
        content: "bad",
        isError: true,
        timestamp: 1,
      },
    ],
  });
  const [asked] = server.asked;
  assert.equal(asked?.path, "/v1/chat/completions");
  assert.deepEqual(asked.body, {
    model: "gpt-test",
    stream: true,
    stream_options: { include_usage: true },
    reasoning_effort: "xhigh",
    tools: [{
      type: "function",
      function: { name: "list_tables", description: "Lists", parameters: { type: "object", properties: {} } },
    }],
    messages: [
      { role: "system", content: "You answer briefly." },
      { role: "user", content: "Lone \ufffd half" },
      {
        role: "assistant",
        content: "I'll look.",
        tool_calls: [
          { type: "function", id: "c1", function: { name: "list_tables", arguments: "{}" } },
          { type: "function", id: "c2", function: { name: "execute_sql", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "{}" },
      { role: "tool", tool_call_id: "c2", content: "bad" },
    ],
  });
});

Deno.test("no header is sent but those a request needs, and none from the environment", async () => {
  const variables = {
    OPENAI_CUSTOM_HEADERS: "x-secret: 1",
    OPENAI_ORG_ID: "org-1",
    OPENAI_API_KEY: "sk-of-the-environment",
  };
  for (const [name, value] of Object.entries(variables)) Deno.env.set(name, value);
  try {
    await using server = startModelServer(() => ({ stream: "openai/text.sse" }));
    await ask(modelOf(server));
    const { apiKey: _, ...keyless } = { ...OPTIONS, baseUrl: server.baseUrl };
    await ask(openaiModel(keyless));
    const [first, second] = server.asked.map(({ headers }) => Object.fromEntries(headers));
    assert.equal(first?.authorization, `Bearer ${KEY}`);
    assert.equal(first["user-agent"], "saber");
    const names = Object.keys(first).filter((name) => name !== "authorization");
    assert.deepEqual(Object.keys(second ?? {}), names);
    const plain = [
      "accept",
      "accept-encoding",
      "accept-language",
      "content-length",
      "content-type",
      "host",
      "user-agent",
    ];
    assert.deepEqual(names.sort(), plain);
  } finally {
    for (const name of Object.keys(variables)) Deno.env.delete(name);
  }
});

const OPTIONS: Omit<ModelOptions, "baseUrl"> = {
  id: "openai:gpt-test",
  apiKey: KEY,
  efforts: {},
  silenceMs: 20_000,
};

const json = (status: number, error: unknown): Play => ({ status, body: JSON.stringify({ error }) });
const stream = (text: string): Play => ({ stream: { text } });

/** What a server does, and the code, sentence and quotation that come of it. */
const FAILURES: readonly (readonly [string, Play, { code: string; says: RegExp; quotes?: string }])[] = [
  [
    "a refused key that is echoed",
    json(401, { message: `Incorrect API key provided: ${KEY}.`, code: "invalid_api_key" }),
    {
      code: "model_auth",
      says: /refused the API key \(HTTP 401\)/,
      quotes: "Incorrect API key provided: ***.",
    },
  ],
  ["denied access", json(403, { message: "No access to\nthis  model" }), {
    code: "model_auth",
    says: /denied access \(HTTP 403\)/,
    quotes: "No access to this model",
  }],
  ["an unknown model", json(404, { message: "The model `x` does not exist", code: "model_not_found" }), {
    code: "model_error",
    says: /does not know this model or address \(HTTP 404\)/,
    quotes: "The model `x` does not exist",
  }],
  ["a limit of requests", json(429, { message: "Slow down", code: "rate_limit_exceeded" }), {
    code: "model_overloaded",
    says: /limits the rate of requests \(HTTP 429\)/,
    quotes: "Slow down",
  }],
  ["a used-up quota", json(429, { message: "You exceeded your quota", code: "insufficient_quota" }), {
    code: "model_overloaded",
    says: /quota is used up \(HTTP 429\)/,
    quotes: "You exceeded your quota",
  }],
  ["an overloaded server", json(529, { message: "Overloaded", type: "overloaded_error" }), {
    code: "model_overloaded",
    says: /is overloaded \(HTTP 529\)/,
    quotes: "Overloaded",
  }],
  [
    "too long a conversation",
    json(400, { message: "maximum context length", code: "context_length_exceeded" }),
    {
      code: "model_error",
      says: /cannot take so long a conversation \(HTTP 400\)/,
      quotes: "maximum context length",
    },
  ],
  ["a gateway that gave up", { status: 504, body: "upstream timed out" }, {
    code: "model_timeout",
    says: /gave up waiting for the model \(HTTP 504\)/,
    quotes: "upstream timed out",
  }],
  ["a failure with a long text", { status: 500, body: "x".repeat(1_000_000) }, {
    code: "model_error",
    says: /reported a failure \(HTTP 500\)/,
    quotes: `${"x".repeat(300)} …`,
  }],
  ["a failure without a body", { status: 500, body: "" }, {
    code: "model_error",
    says: /reported a failure \(HTTP 500\)/,
  }],
  ["an error page", {
    status: 502,
    body: "<html><body>Bad gateway</body></html>",
    headers: { "content-type": "text/html" },
  }, {
    code: "model_error",
    says: /reported a failure \(HTTP 502\)/,
  }],
  ["a web page as the answer", {
    status: 200,
    body: "<!doctype html>\n<p>data: 1",
    headers: { "content-type": "text/html" },
  }, {
    code: "model_error",
    says: /something that is not a Chat Completions answer/,
  }],
  ["a document as the answer", { status: 200, body: '{"object":"chat.completion","choices":[]}' }, {
    code: "model_error",
    says: /something that is not a Chat Completions answer/,
  }],
  ["an answer without a body", { status: 200, body: "" }, {
    code: "model_error",
    says: /something that is not a Chat Completions answer/,
  }],
  ["broken JSON in the stream", stream('data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: {"cho\n\n'), {
    code: "model_error",
    says: /something that is not a Chat Completions answer/,
  }],
  ["JSON that is no chunk", stream("data: 17\n\n"), {
    code: "model_error",
    says: /something that is not a Chat Completions answer/,
  }],
  ["a stream that ends early", stream('data: {"choices":[{"delta":{"content":"a"}}]}\n\n'), {
    code: "model_unreachable",
    says: /broke off the connection in mid-answer/,
  }],
  ["a connection dropped in the stream", { stream: "openai/text.sse", resetAt: 900 }, {
    code: "model_unreachable",
    says: /broke off the connection in mid-answer/,
  }],
  ["an error told in the stream", { stream: "openai/error_midstream.sse" }, {
    code: "model_error",
    says: /reported a failure \(HTTP 502\)/,
    quotes: "Upstream worker went away",
  }],
  ["an end because of an error", stream('data: {"choices":[{"delta":{},"finish_reason":"error"}]}\n\n'), {
    code: "model_error",
    says: /reported a failure/,
  }],
  ["a line without an end", { stream: { text: `data: ${"x".repeat(17 << 20)}` } }, {
    code: "model_error",
    says: /sent a line of more than 16 MiB/,
  }],
  ["silence in the stream", { stream: "openai/text.sse", stallAt: 900 }, {
    code: "model_timeout",
    says: /sent nothing for 0\.4 s/,
  }],
];

for (const [name, play, { code, says, quotes }] of FAILURES) {
  Deno.test(`a failure becomes one sentence: ${name}`, async () => {
    await using server = startModelServer([play, { stream: "openai/text.sse" }]);
    const model = modelOf(server, { silenceMs: 400 });
    const fault = await faultOf(ask(model));
    assert.equal(fault.code, code);
    assert.match(fault.message, says);
    assert.match(fault.message, /^Cannot get an answer from openai:gpt-test: 127\.0\.0\.1:\d+ [^\n]+\.$/);
    assert.equal(fault.server?.message, quotes);
    assert.ok(!Deno.inspect(fault).includes(KEY), "the key is in the fault");
    assert.equal((await askForMessage(model)).stopReason, "stop");
    assert.equal(server.asked.length, 2, "a request was repeated");
  });
}

async function faultOf(asking: Promise<unknown>): Promise<Fault> {
  const error = await asking.then(() => undefined, (error: unknown) => error);
  return error instanceof Fault ? error : assert.fail(`no Fault but ${Deno.inspect(error)}`);
}

Deno.test("servers that cannot be reached are told apart", async () => {
  const closed = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = closed.addr;
  closed.close();
  using rude = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const hangingUp = (async () => {
    for await (const connection of rude) connection.close();
  })();
  const cases: readonly (readonly [string, RegExp])[] = [
    [`http://127.0.0.1:${port}/v1`, /refuses connections/],
    [`http://127.0.0.1:${rude.addr.port}/v1`, /broke off the connection\./],
    [`https://127.0.0.1:${rude.addr.port}/v1`, /valid TLS connection|broke off the connection/],
    ["http://no-such-host.invalid/v1", /is not a known host name/],
  ];
  for (const [baseUrl, says] of cases) {
    const fault = await faultOf(ask(modelOf({ baseUrl })));
    assert.equal(fault.code, "model_unreachable");
    assert.match(fault.message, says);
  }
  rude.close();
  await hangingUp;
});

Deno.test("a server that never begins to answer is given up", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepting = listener.accept();
  const fault = await faultOf(
    ask(modelOf({ baseUrl: `http://127.0.0.1:${listener.addr.port}/v1` }, { silenceMs: 200 })),
  );
  assert.equal(fault.code, "model_timeout");
  (await accepting).close();
});

Deno.test("keep-alive comments are no silence", async () => {
  const comments = ": still thinking\n".repeat(20);
  const text = `${comments}\ndata: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n`;
  await using server = startModelServer([{ stream: { text }, paceMs: 40 }]);
  assert.deepEqual(contentOf(await ask(modelOf(server, { silenceMs: 400 }))), [
    { type: "text", text: "a" },
  ]);
});

Deno.test("a whole answer stands, whatever becomes of the connection behind it", async () => {
  const text = 'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n: more to come\n\n';
  await using server = startModelServer([{ stream: { text }, resetAt: text.length - 10 }]);
  assert.equal((await askForMessage(modelOf(server))).stopReason, "stop");
});

for (const stallAt of [0, 900]) {
  Deno.test(`an abort after ${stallAt} bytes ends the request at once`, async () => {
    await using server = startModelServer([{ stream: "openai/text.sse", stallAt }]);
    const controller = new AbortController();
    const asking = faultOf(ask(modelOf(server), { signal: controller.signal }));
    const { over } = await server.arrival(0);
    await new Promise((go) => setTimeout(go, 50));
    const before = performance.now();
    controller.abort();
    assert.equal((await asking).code, "cancelled");
    assert.equal(await over, "given up");
    assert.ok(performance.now() - before < 2000);
  });
}

Deno.test("an abort reaches the server though nobody reads the events", async () => {
  await using server = startModelServer([{ stream: "openai/text.sse", stallAt: 900 }]);
  const controller = new AbortController();
  const events = modelOf(server).stream(question({ signal: controller.signal }))[Symbol.asyncIterator]();
  await events.next();
  controller.abort();
  assert.equal(await server.asked[0]?.over, "given up");
});

Deno.test("leaving the events early ends the request", async () => {
  await using server = startModelServer([{ stream: "openai/text.sse", stallAt: 900 }]);
  for await (const event of modelOf(server).stream(question())) {
    if (event.type === "text_delta") break;
  }
  assert.equal(await server.asked[0]?.over, "given up");
});

Deno.test("an aborted signal asks nothing", async () => {
  await using server = startModelServer([]);
  assert.equal((await faultOf(ask(modelOf(server), { signal: AbortSignal.abort() }))).code, "cancelled");
  assert.equal(server.asked.length, 0);
});

Deno.test("a damaged stream gives an answer or one Fault, never anything else", async () => {
  const folder = new URL("../../fixtures/streams/", import.meta.url);
  const texts = await Promise.all(
    Object.keys(RECORDED).map((name) => Deno.readTextFile(new URL(`openai/${name}.sse`, folder))),
  );
  const next = random(7);
  const damage = (text: string) => {
    const lines = text.split("\n");
    const at = Math.floor(next() * lines.length);
    return lines.with(at, new TextDecoder().decode(mutate([lines[at] ?? ""], next))).join("\n");
  };
  await using server = startModelServer((n) => ({
    stream: { text: damage(texts[n % texts.length] ?? "") },
  }));
  const model = modelOf(server);
  const asks = 600;
  let answers = 0;
  for (let n = 0; n < asks; n++) {
    const outcome = await ask(model).catch((error: unknown) => error);
    if (outcome instanceof Fault) assert.match(outcome.code, /^model_/);
    else if (Array.isArray(outcome)) {
      assert.deepEqual(rebuilt(outcome), contentOf(outcome));
      answers++;
    } else assert.fail(`stream ${n} threw ${Deno.inspect(outcome)}`);
  }
  assert.ok(answers > 100 && answers < asks, `${answers} answers`);
});
