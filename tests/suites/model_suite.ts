/**
 * What every adapter has to hold, on streams recorded in the words of its API and over real HTTP: recorded streams cut at every
 * byte, failures that become one sentence, aborts that end the request, damaged streams.
 */
import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import type {
  AssistantMessage,
  ContentBlock,
  Model,
  ModelEvent,
  ModelOptions,
} from "../../src/llm/provider.ts";
import { ask, askForMessage, faultOf, question } from "../support/asking.ts";
import { type ModelServer, startModelServer } from "../support/model_server.ts";
import { mutate, random } from "../support/mutate.ts";
import { type Failing, FAILURES, KEY, NOT_AN_ANSWER, type Row, stream } from "./model_failures.ts";
import { SOON_MS } from "../support/patience.ts";
import { freePort } from "../support/server_process.ts";
import { startTlsServer } from "../support/tls_server.ts";

/** What a recorded stream says; `call_*` stands for an id of our own. */
export type Expected = Pick<AssistantMessage, "content" | "usage" | "stopReason">;

export interface AdapterUnderTest {
  /** The folder of its recorded streams. */
  readonly streams: string;
  make(options: ModelOptions): Model;
  /** Of the API, with its article. */
  readonly api: string;
  /** What each recorded stream says; `text` is one of them. */
  readonly recorded: { readonly [stream: string]: Expected };
  /** So many bytes of the stream `text` have some of its text in them, and not all. */
  readonly textBegins: number;
  /** A stream that has begun, with some text. */
  readonly beginning: string;
  /** A whole stream that ends with this reason and this count of input tokens. */
  ending(reason: string, inputTokens: unknown): string;
  /** A piece of a stream that is no piece of this API, and one that is no JSON. */
  readonly broken: { readonly shape: string; readonly json: string };
  /** What `error_midstream` becomes. */
  readonly midstream: Failing;
}

export const text = (text: string): ContentBlock => ({ type: "text", text });
export const thinking = (thinking: string, signature?: unknown): ContentBlock => ({
  type: "thinking",
  thinking,
  ...(signature === undefined ? {} : { signature: JSON.stringify(signature) }),
});
export const call = (id: string, name: string, argumentsText: string): ContentBlock => ({
  type: "toolCall",
  id,
  name,
  argumentsText,
});

/** A model of this adapter, asked through a server of this test. */
export function modelOf(
  { make }: AdapterUnderTest,
  { baseUrl }: Pick<ModelServer, "baseUrl">,
  options: Partial<ModelOptions> = {},
): Model {
  return make({ id: "acme:model-test", apiKey: KEY, thinking: {}, silenceMs: 20_000, baseUrl, ...options });
}

export function testAdapter(adapter: AdapterUnderTest): void {
  testRecorded(adapter);
  testFailures(adapter);
  testConnections(adapter);
  testOddities(adapter);
  testEnds(adapter);
}

function testRecorded(adapter: AdapterUnderTest): void {
  for (const [name, expected] of Object.entries(adapter.recorded)) {
    Deno.test(`the recorded stream ${name}, whole and cut at every byte`, async () => {
      const stream = `${adapter.streams}/${name}.sse`;
      const { size } = await Deno.stat(new URL(`../../fixtures/streams/${stream}`, import.meta.url));
      assert.ok(size <= 4096);
      await using server = startModelServer((n) => ({
        stream,
        ...(n === 0 ? {} : { pieces: { cutAt: n } }),
      }));
      const model = modelOf(adapter, server);
      const whole = await ask(model);
      const message = await askForMessage(model);
      assert.deepEqual(
        comparable(message),
        comparable({ role: "assistant", ...expected, model: "model-test", timestamp: 0 }),
      );
      assert.deepEqual(rebuilt(whole), contentOf(whole).map(unsigned));
      const once = async () => {
        while (server.asked.length < size) assert.deepEqual(comparable(await ask(model)), comparable(whole));
      };
      await Promise.all(Array.from({ length: 16 }, once));
    });
  }

  Deno.test("a stream byte by byte gives the same answer", async () => {
    const stream = `${adapter.streams}/keep_alive.sse`;
    await using server = startModelServer([{ stream, pieces: { every: 1 } }, { stream }]);
    const model = modelOf(adapter, server);
    assert.deepEqual(comparable(await ask(model)), comparable(await ask(model)));
  });

  Deno.test("a damaged stream gives an answer or one Fault, never anything else", async () => {
    const folder = new URL("../../fixtures/streams/", import.meta.url);
    const texts = await Promise.all(
      Object.keys(adapter.recorded).map((name) =>
        Deno.readTextFile(new URL(`${adapter.streams}/${name}.sse`, folder))
      ),
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
    const model = modelOf(adapter, server);
    const asks = 300;
    let answers = 0;
    for (let n = 0; n < asks; n++) {
      const outcome = await ask(model).catch((error: unknown) => error);
      if (outcome instanceof Fault) assert.match(outcome.code, /^model_/);
      else if (Array.isArray(outcome)) {
        assert.deepEqual(rebuilt(outcome), contentOf(outcome).map(unsigned));
        answers++;
      } else assert.fail(`stream ${n} threw ${Deno.inspect(outcome)}`);
    }
    assert.ok(answers > 30 && answers < asks, `${answers} answers`);
  });
}

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
      blocks[at] = unsigned(event.toolCall);
    } else if (event.type === "text_end" || event.type === "thinking_end") {
      assert.equal(open.get(at), event.content);
      blocks[at] = event.type === "text_end" ? text(event.content) : thinking(event.content);
    }
  }
  assert.equal(open.size, Object.keys(blocks).length, "a block never ended");
  return blocks;
}

/** Signatures are not told while the answer streams. */
function unsigned(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case "text":
      return block;
    case "thinking":
      return thinking(block.thinking);
    case "toolCall":
      return call(block.id, block.name, block.argumentsText);
  }
}

function contentOf(events: readonly ModelEvent[]): readonly ContentBlock[] {
  const last = events.at(-1);
  return last?.type === "done" ? last.message.content : [];
}

/** The same for what depends on the API. */
function ownFailures({ streams, beginning, broken, midstream, textBegins }: AdapterUnderTest): Row[] {
  const garbled: Failing = { code: "model_error", says: NOT_AN_ANSWER };
  const brokenOff: Failing = { code: "model_unreachable", says: /broke off the connection in mid-answer/ };
  return [
    ["broken JSON in the stream", stream(beginning + broken.json), garbled],
    ["JSON that is no piece of this API", stream(broken.shape), garbled],
    ["a stream that ends early", stream(beginning), brokenOff],
    ["a connection dropped in the stream", { stream: `${streams}/text.sse`, resetAt: textBegins }, brokenOff],
    ["an error told in the stream", { stream: `${streams}/error_midstream.sse` }, midstream],
    ["silence in the stream", { stream: `${streams}/text.sse`, stallAt: textBegins }, {
      code: "model_timeout",
      says: /sent nothing for 0\.4 s/,
    }],
  ];
}

function testFailures(adapter: AdapterUnderTest): void {
  for (const [name, play, { code, says, quotes }] of [...FAILURES, ...ownFailures(adapter)]) {
    Deno.test(`a failure becomes one sentence: ${name}`, async () => {
      await using server = startModelServer([play, { stream: `${adapter.streams}/text.sse` }]);
      const model = modelOf(adapter, server, { silenceMs: 400 });
      const fault = await faultOf(ask(model));
      assert.equal(fault.code, code);
      assert.match(fault.message, says);
      assert.match(fault.message, /^Cannot get an answer from acme:model-test: 127\.0\.0\.1:\d+ [^\n]+\.$/);
      assert.equal(fault.server?.message, quotes);
      assert.ok(!Deno.inspect(fault).includes(KEY), "the key is in the fault");
      assert.equal((await askForMessage(model)).stopReason, "stop");
      assert.equal(server.asked.length, 2, "a request was repeated");
    });
  }
}

function testConnections(adapter: AdapterUnderTest): void {
  Deno.test("servers that cannot be reached are told apart", async () => {
    const port = freePort();
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
      const fault = await faultOf(ask(modelOf(adapter, { baseUrl })));
      assert.equal(fault.code, "model_unreachable");
      assert.match(fault.message, says);
    }
    rude.close();
    await hangingUp;
  });

  Deno.test("a status that there is not is a failure, in nobody's words", async () => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const answering = (async () => {
      using connection = await listener.accept();
      await connection.read(new Uint8Array(65_536));
      await connection.write(new TextEncoder().encode("HTTP/1.1 600 What\r\ncontent-length: 0\r\n\r\n"));
    })();
    const baseUrl = `http://127.0.0.1:${listener.addr.port}/v1`;
    const fault = await faultOf(ask(modelOf(adapter, { baseUrl })));
    assert.match(fault.message, /reported a failure \(HTTP 600\)\. Ask again\./);
    assert.equal(fault.server, undefined);
    await answering;
  });

  Deno.test("a server that never begins to answer is given up", async () => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const accepting = listener.accept();
    const fault = await faultOf(
      ask(modelOf(adapter, { baseUrl: `http://127.0.0.1:${listener.addr.port}/v1` }, { silenceMs: 200 })),
    );
    assert.equal(fault.code, "model_timeout");
    (await accepting).close();
  });

  Deno.test("a certificate that nobody vouches for is told as such", async () => {
    await using server = startTlsServer();
    const fault = await faultOf(ask(modelOf(adapter, server)));
    assert.equal(fault.code, "model_unreachable");
    assert.match(fault.message, /does not offer a valid TLS connection\. Check/);
  });
}

function testOddities(adapter: AdapterUnderTest): void {
  Deno.test("a whole answer is one, though the server leaves the connection open", async () => {
    const play = stream(adapter.beginning + adapter.ending("stop", 1));
    await using server = startModelServer([{ ...play, stallAt: 1 << 20 }]);
    const message = await askForMessage(modelOf(adapter, server, { silenceMs: 3_600_000 }));
    assert.deepEqual([message.content, message.usage?.inputTokens], [[text("a")], 1]);
    assert.equal(await server.asked[0]?.over, "given up");
  });

  Deno.test("reasons and counts that are none leave a whole answer", async () => {
    const reasons = ["constructor", "__proto__", "toString", "whatever"];
    const counts = ["12", null, -3, 1.5, 1e300, {}];
    const endings = [
      ...reasons.map((reason) => adapter.ending(reason, 1)),
      ...counts.map((count) => adapter.ending("stop", count)),
    ];
    await using server = startModelServer((n) => stream(adapter.beginning + endings[n]));
    const model = modelOf(adapter, server);
    for (const n of endings.keys()) {
      const { content, stopReason, usage } = await askForMessage(model);
      assert.deepEqual([content, stopReason], [[text("a")], "stop"]);
      assert.equal(usage?.inputTokens, n < reasons.length ? 1 : undefined);
    }
  });
}

function testEnds(adapter: AdapterUnderTest): void {
  const stream = `${adapter.streams}/text.sse`;
  const stallAt = adapter.textBegins;

  for (const stallAt of [0, adapter.textBegins]) {
    Deno.test(`an abort after ${stallAt} bytes ends the request at once`, async () => {
      await using server = startModelServer([{ stream, stallAt }]);
      const controller = new AbortController();
      const asking = faultOf(ask(modelOf(adapter, server), { signal: controller.signal }));
      const { over } = await server.arrival(0);
      await new Promise((go) => setTimeout(go, 50));
      const before = performance.now();
      controller.abort();
      assert.equal((await asking).code, "cancelled");
      assert.equal(await over, "given up");
      assert.ok(performance.now() - before < SOON_MS);
    });
  }

  Deno.test("an abort reaches the server though nobody reads the events", async () => {
    await using server = startModelServer([{ stream, stallAt }]);
    const controller = new AbortController();
    const events = modelOf(adapter, server).stream(question({ signal: controller.signal }))
      [Symbol.asyncIterator]();
    await events.next();
    controller.abort();
    assert.equal(await server.asked[0]?.over, "given up");
  });

  Deno.test("leaving the events early ends the request", async () => {
    await using server = startModelServer([{ stream, stallAt }]);
    for await (const event of modelOf(adapter, server).stream(question())) {
      if (event.type === "text_delta") break;
    }
    assert.equal(await server.asked[0]?.over, "given up");
  });

  Deno.test("an aborted signal asks nothing", async () => {
    await using server = startModelServer([]);
    assert.equal(
      (await faultOf(ask(modelOf(adapter, server), { signal: AbortSignal.abort() }))).code,
      "cancelled",
    );
    assert.equal(server.asked.length, 0);
  });
}
