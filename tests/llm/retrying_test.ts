import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import { chatModel } from "../../src/llm/chat/model.ts";
import { retrying } from "../../src/llm/retrying.ts";
import { ask, askForMessage, faultOf } from "../support/asking.ts";
import { type ModelServer, type Play, startModelServer } from "../support/model_server.ts";

const TEXT: Play = { stream: "openai/text.sse" };
const reply = (status: number, headers: { readonly [name: string]: string } = {}): Play => ({
  status,
  body: '{"error":{"message":"No"}}',
  headers,
});

function modelOf(server: ModelServer, waitsMs: readonly number[] = [1, 1, 1]) {
  const options = { id: "acme:m", apiKey: "key", thinking: {}, silenceMs: 500, baseUrl: server.baseUrl };
  return retrying(chatModel(options), waitsMs);
}

const REPEATED: { readonly [name: string]: Play } = {
  "a limit of requests": reply(429),
  "an overloaded server": reply(503),
  "a failure of the server": reply(500),
  "a gateway that gave up": reply(504),
  "a connection dropped before the first word": { stream: "openai/text.sse", resetAt: 60 },
  "an error at the beginning of the stream": {
    stream: { text: 'data: {"error":{"message":"Busy","code":"overloaded"}}\n\n' },
  },
};

for (const [name, play] of Object.entries(REPEATED)) {
  Deno.test(`asked again: ${name}`, async () => {
    await using server = startModelServer([play, play, TEXT]);
    assert.equal((await askForMessage(modelOf(server))).stopReason, "stop");
    assert.equal(server.asked.length, 3);
    assert.deepEqual(server.asked[2]?.body, server.asked[0]?.body);
  });
}

const NOT_REPEATED: { readonly [name: string]: Play } = {
  "a wrong request": reply(400),
  "a refused key": reply(401),
  "an unknown model": reply(404),
  "a used-up quota": { status: 429, body: '{"error":{"message":"No","code":"insufficient_quota"}}' },
  "a connection dropped in mid-answer": { stream: "openai/text.sse", resetAt: 900 },
  "an error after the first word": { stream: "openai/error_midstream.sse" },
  "silence after the first word": { stream: "openai/text.sse", stallAt: 900 },
  "a wait that is too long": reply(429, { "retry-after": "3600" }),
};

for (const [name, play] of Object.entries(NOT_REPEATED)) {
  Deno.test(`never asked again: ${name}`, async () => {
    await using server = startModelServer([play, TEXT]);
    await faultOf(ask(modelOf(server)));
    assert.equal(server.asked.length, 1);
  });
}

Deno.test("a server that stays overloaded is given up after the last wait, with what it said", async () => {
  await using server = startModelServer(() => reply(529));
  const fault = await faultOf(ask(modelOf(server)));
  assert.equal(fault.code, "model_overloaded");
  assert.equal(server.asked.length, 4);
});

for (
  const [header, value] of [
    ["retry-after", "1"],
    ["retry-after-ms", "300"],
    ["retry-after", new Date(Date.now() + 3600_000).toUTCString()],
  ] as const
) {
  Deno.test(`what a server asks for is waited for, or told: ${header}: ${value}`, async () => {
    await using server = startModelServer([reply(429, { [header]: value }), TEXT]);
    const start = performance.now();
    const outcome = await askForMessage(modelOf(server)).catch((error: unknown) => error);
    if (outcome instanceof Fault) {
      assert.match(outcome.message, /limits the rate of requests \(HTTP 429\)\. Wait 3(5\d\d|600) s and ask/);
      assert.equal(server.asked.length, 1);
    } else {
      assert.ok(performance.now() - start >= 290);
      assert.equal(server.asked.length, 2);
    }
  });
}

Deno.test("an abort ends the wait", async () => {
  await using server = startModelServer(() => reply(503));
  const controller = new AbortController();
  const asking = faultOf(ask(modelOf(server, [20_000]), { signal: controller.signal }));
  await (await server.arrival(0)).over;
  setTimeout(() => controller.abort(), 50);
  assert.equal((await asking).code, "cancelled");
  assert.equal(server.asked.length, 1);
});
