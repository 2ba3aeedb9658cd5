import assert from "node:assert/strict";
import type { AgentEvent } from "../../src/agent/events.ts";
import { Session, type SessionOptions } from "../../src/agent/session.ts";
import { Fault } from "../../src/base/fault.ts";
import type { Model } from "../../src/llm/provider.ts";
import { openModel } from "../../src/llm/registry.ts";
import { type ModelServer, type Play, startModelServer } from "../support/model_server.ts";
import { SOON_MS } from "../support/patience.ts";
import { endOf, errorOf, outline, readRun } from "../support/run_events.ts";
import { toolboxOf } from "../support/toolbox.ts";

function sessionOn(server: Pick<ModelServer, "baseUrl">, overrides: Partial<SessionOptions> = {}): Session {
  return new Session({
    model: openModel("ollama:m", { OLLAMA_HOST: server.baseUrl }),
    toolbox: toolboxOf({ list_tables: () => ({ json: "{}" }), execute_sql: () => ({ json: "{}" }) }),
    system: "Answer.",
    thinking: "off",
    log: () => {},
    ...overrides,
  });
}

const TEXT: Play = { stream: "openai/text.sse" };
const ANSWER = "Es gibt 63 Kundinnen – naïve 東京 🦕.";
const after = (ms: number) => new Promise<void>((go) => setTimeout(go, ms));
const isBadState = (error: unknown) => error instanceof Fault && error.code === "bad_state";

Deno.test("completed turns are the conversation, and the model is told it", async () => {
  await using server = startModelServer(() => TEXT);
  const session = sessionOn(server);
  assert.deepEqual([session.running, session.messageCount, session.lastAssistantText], [false, 0, null]);
  await readRun(session.prompt("First?"));
  await readRun(session.prompt("Second?"));
  assert.deepEqual([session.running, session.messageCount, session.lastAssistantText], [false, 4, ANSWER]);
  assert.partialDeepStrictEqual(server.asked[1]?.body, {
    messages: [
      { role: "system", content: "Answer." },
      { role: "user", content: "First?" },
      { role: "assistant", content: ANSWER },
      { role: "user", content: "Second?" },
    ],
  });
  session.newSession();
  assert.deepEqual([session.messageCount, session.lastAssistantText], [0, null]);
});

Deno.test("the turn is committed and the session idle when the end is told", async () => {
  await using server = startModelServer(() => TEXT);
  const session = sessionOn(server);
  for await (const event of session.prompt("How many?")) {
    assert.equal(session.running, event.type !== "agent_end");
    if (event.type !== "agent_end") continue;
    assert.equal(session.messageCount, 2);
    assert.equal(endOf(await readRun(session.prompt("And now?"))).status, "completed");
  }
  assert.deepEqual([session.running, session.messageCount], [false, 4]);
});

Deno.test("one run at a time; what needs quiet is refused meanwhile", async () => {
  await using server = startModelServer([{ stream: "openai/text.sse", stallAt: 700 }]);
  const session = sessionOn(server);
  const events = session.prompt("How many?");
  await events.next();
  assert.throws(() => session.prompt("Again?"), isBadState);
  assert.throws(() => session.newSession(), isBadState);
  const aborting = session.abort();
  await readAll(events);
  assert.equal(await aborting, true);
});

async function readAll(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  return await Array.fromAsync(events);
}

Deno.test("the thinking level goes with the next request", async () => {
  await using server = startModelServer(() => TEXT);
  const session = sessionOn(server);
  session.setThinkingLevel("medium");
  assert.equal(session.thinkingLevel, "medium");
  await readRun(session.prompt("How many?"));
  assert.partialDeepStrictEqual(server.asked[0]?.body, { reasoning_effort: "medium" });
});

Deno.test("a failed turn leaves everything as it was", async () => {
  await using server = startModelServer([
    TEXT,
    { stream: "openai/list_tables.sse" },
    { status: 400, body: "{}" },
    TEXT,
  ]);
  const session = sessionOn(server);
  await readRun(session.prompt("First?"));
  const before = session.messages;
  assert.match(errorOf(await readRun(session.prompt("Second?"))), /refused the request/);
  assert.equal(session.messages, before);
  await readRun(session.prompt("Third?"));
  assert.equal(session.messageCount, 4);
  assert.ok(!JSON.stringify(server.asked[3]?.body).includes("Second?"));
});

interface Phase {
  /** How the aborted run's request is answered, where there is one. */
  readonly play: Play;
  /** The event after which the run is aborted. */
  readonly when: (event: AgentEvent, n: number) => boolean;
  /** Waits after that event while the run goes on. */
  readonly laterMs?: number;
  readonly toolHangs?: "until aborted" | "for ever";
}

const isUpdate = (type: string) => (event: AgentEvent) =>
  event.type === "message_update" && event.update.type === type;

const PHASES: { readonly [phase: string]: Phase } = {
  "before the request": { play: TEXT, when: ({ type }) => type === "agent_start" },
  "before the first byte": {
    play: { stream: "openai/text.sse", stallAt: 0 },
    when: ({ type }) => type === "message_start",
    laterMs: 50,
  },
  "inside text": {
    play: { stream: "openai/text.sse", stallAt: 900 },
    when: isUpdate("text_delta"),
    laterMs: 20,
  },
  "inside thinking": {
    play: { stream: "openai/thinking.sse", paceMs: 30 },
    when: isUpdate("thinking_delta"),
  },
  "inside a call's arguments": {
    play: { stream: "openai/top_customers_2.sse", paceMs: 20 },
    when: ({ type }) => type === "sql_update",
  },
  "when a call is told": {
    play: { stream: "openai/list_tables.sse" },
    when: ({ type }) => type === "tool_execution_start",
  },
  "while a tool runs": {
    play: { stream: "openai/list_tables.sse" },
    when: ({ type }) => type === "tool_execution_start",
    laterMs: 30,
    toolHangs: "until aborted",
  },
  "while a tool runs that does not listen": {
    play: { stream: "openai/list_tables.sse" },
    when: ({ type }) => type === "tool_execution_start",
    laterMs: 30,
    toolHangs: "for ever",
  },
  "between tools and the next request": {
    play: { stream: "openai/list_tables.sse" },
    when: ({ type }) => type === "tool_execution_end",
  },
  "after the last token": { play: TEXT, when: isUpdate("text_end") },
  "after the last message": { play: TEXT, when: ({ type }) => type === "message_end" },
};

for (const [name, { play, when, laterMs, toolHangs }] of Object.entries(PHASES)) {
  Deno.test(`an abort ${name} ends the run and leaves no trace`, async () => {
    let current: Play = TEXT;
    await using server = startModelServer(() => current);
    const tool = toolboxOf({
      list_tables: (_, { signal }) =>
        toolHangs === undefined ? { json: "{}" } : new Promise((_, reject) => {
          if (toolHangs === "until aborted") signal.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    const session = sessionOn(server, { toolbox: tool });
    await readRun(session.prompt("First?"));
    const before = session.messages;
    current = play;
    let aborting: Promise<boolean> | undefined;
    let since = 0;
    let isTime = false;
    const events: AgentEvent[] = [];
    for await (const event of session.prompt("Second?")) {
      events.push(event);
      if (isTime || !when(event, events.length)) continue;
      isTime = true; // one abort: a second one would hit the run after this
      const abort = () => {
        since = performance.now();
        aborting = session.abort();
      };
      if (laterMs === undefined) abort();
      else setTimeout(abort, laterMs);
    }
    assert.equal(await aborting, true);
    assert.ok(performance.now() - since < SOON_MS);
    assert.deepEqual(events.filter(({ type }) => type === "agent_end"), [{
      type: "agent_end",
      status: "aborted",
    }]);
    assert.equal(events.at(-1)?.type, "agent_end");
    assert.equal(session.messages, before);
    assert.equal(session.running, false);
    await Promise.all(server.asked.map(({ over }) => over));
    current = TEXT;
    assert.equal(endOf(await readRun(session.prompt("Third?"))).status, "completed");
  });
}

Deno.test("a model that does not listen is left after half a second", async () => {
  const deaf: Model = {
    id: "deaf:m",
    name: "m",
    async *stream() {
      yield { type: "text_start", contentIndex: 0 };
      await new Promise(() => {});
    },
  };
  const session = sessionOn({ baseUrl: "http://127.0.0.1:9/v1" }, { model: deaf });
  let since = 0;
  for await (const event of session.prompt("How many?")) {
    if (event.type === "message_update") {
      since = performance.now();
      void session.abort();
    }
    if (event.type === "agent_end") assert.equal(event.status, "aborted");
  }
  const took = performance.now() - since;
  assert.ok(took > 400 && took < SOON_MS, `it took ${took} ms`);
  assert.equal(session.running, false);
});

Deno.test("an abort waits until the end has been read, however slow the reader is", async () => {
  await using server = startModelServer([{ stream: "openai/text.sse", paceMs: 5 }]);
  const session = sessionOn(server);
  const told: string[] = [];
  const aborting: Promise<unknown>[] = [];
  for await (const event of session.prompt("How many?")) {
    if (event.type === "message_start") {
      aborting.push(...[1, 2].map(() => session.abort().then(() => told.push("aborted"))));
    }
    await after(60);
    told.push(event.type);
  }
  await Promise.all(aborting);
  assert.deepEqual(told.slice(-3), ["agent_end", "aborted", "aborted"]);
});

Deno.test("an idle session has nothing to abort", async () => {
  await using server = startModelServer(() => TEXT);
  const session = sessionOn(server);
  assert.equal(await session.abort(), false);
  await readRun(session.prompt("How many?"));
  assert.equal(await session.abort(), false);
});

Deno.test("a prompt's signal stops its run", async () => {
  await using server = startModelServer([{ stream: "openai/text.sse", stallAt: 900 }, TEXT]);
  const session = sessionOn(server);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 50);
  assert.equal(endOf(await readRun(session.prompt("How many?", controller))).status, "aborted");
  assert.equal(
    endOf(await readRun(session.prompt("How many?", { signal: AbortSignal.abort() }))).status,
    "aborted",
  );
  assert.equal(endOf(await readRun(session.prompt("How many?"))).status, "completed");
});

Deno.test("leaving the events stops the run and frees the session", async () => {
  await using server = startModelServer([{ stream: "openai/text.sse", stallAt: 900 }, TEXT]);
  const session = sessionOn(server);
  for await (const event of session.prompt("How many?")) {
    if (event.type === "message_update") break;
  }
  assert.equal(session.running, false);
  assert.equal(await server.asked[0]?.over, "given up");
  assert.equal(endOf(await readRun(session.prompt("How many?"))).status, "completed");
});

Deno.test("steers are told, listed, taken back, and dropped by an abort", async () => {
  await using server = startModelServer([TEXT, TEXT, { stream: "openai/text.sse", stallAt: 900 }]);
  const session = sessionOn(server);
  assert.throws(() => session.steer("Too early."), isBadState);
  const seen: AgentEvent[] = [];
  for await (const event of session.prompt("How many?")) {
    seen.push(event);
    if (event.type === "message_start" && server.asked.length === 0) {
      session.steer("Taken back.");
      assert.deepEqual(session.clearSteers(), ["Taken back."]);
      session.steer("Only Ireland.");
      assert.deepEqual(session.pendingSteers, ["Only Ireland."]);
    }
    if (event.type === "queue_update") assert.deepEqual(session.pendingSteers, []);
    if (event.type === "agent_end") assert.throws(() => session.steer("Too late."), isBadState);
  }
  assert.deepEqual(session.messages.map(({ role }) => role), ["user", "assistant", "user", "assistant"]);
  assert.equal(seen.filter(({ type }) => type === "queue_update").length, 1);

  const events: AgentEvent[] = [];
  for await (const event of session.prompt("And then?")) {
    events.push(event);
    if (!isUpdate("text_start")(event)) continue;
    session.steer("Never told.");
    void session.abort();
    assert.throws(() => session.steer("While it unwinds."), isBadState);
  }
  assert.deepEqual(events.slice(-2), [
    { type: "queue_update" },
    { type: "agent_end", status: "aborted" },
  ]);
  assert.deepEqual(session.pendingSteers, []);
});

Deno.test("what waits to be told is bounded", async () => {
  await using server = startModelServer([{ stream: "openai/text.sse", stallAt: 0 }]);
  const session = sessionOn(server);
  const events = session.prompt("How many?");
  await events.next();
  for (let n = 0; n < 100; n++) session.steer(`${n}`);
  assert.throws(() => session.steer("100"), (error) => error instanceof Fault && error.code === "busy");
  void session.abort();
  await readAll(events);
});

Deno.test("a reader that pauses slows the model, and loses nothing", async () => {
  const piece = "x".repeat(60_000);
  const chunk = `data: ${JSON.stringify({ choices: [{ delta: { content: piece } }] })}\n\n`;
  const end = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n';
  const text = chunk.repeat(500) + end;
  await using server = startModelServer([{ stream: { text }, pieces: { every: 1 << 17 } }]);
  const session = sessionOn(server);
  let units = 0;
  for await (const event of session.prompt("Much?")) {
    if (event.type !== "message_update" || event.update.type !== "text_delta") continue;
    units += event.update.delta.length;
    if (units === 10 * piece.length) {
      await after(500);
      const sent = server.asked[0]?.sent ?? 0;
      assert.ok(sent < 16 << 20, `${sent} bytes were sent to a reader that reads nothing`);
    }
  }
  assert.equal(units, 500 * piece.length);
  assert.equal(session.lastAssistantText?.length, units);
});

Deno.test("each run is told by itself, in the shape of every run", async () => {
  await using server = startModelServer(() => TEXT);
  const session = sessionOn(server);
  const events = await readRun(session.prompt("How many?"));
  assert.deepEqual(outline(events), [
    "agent_start",
    "message_start",
    ...["text_start", "text_delta", "text_end"],
    "message_end",
    "agent_end",
  ]);
});

Deno.test("calls in turn: each ends before the next begins, and what has not begun is skipped for a steer", async () => {
  await using server = startModelServer([{ stream: "openai/interleaved_calls.sse" }, TEXT]);
  const made: string[] = [];
  const tool = (name: string) => () => {
    made.push(name);
    if (made.length === 2) session.steer("Only Ireland.");
    return { json: "{}" };
  };
  const session: Session = sessionOn(server, {
    toolbox: toolboxOf({ list_tables: tool("list_tables"), execute_sql: tool("execute_sql") }),
    calls: "in turn",
  });
  session.interruptMode = "immediate";
  const events = await readRun(session.prompt("How many?"));
  assert.deepEqual(made, ["execute_sql", "execute_sql"]);
  assert.deepEqual(events.filter(({ type }) => /^(tool|queue)/.test(type)).map(({ type }) => type), [
    ...["tool_execution_start", "tool_execution_end"],
    ...["tool_execution_start", "tool_execution_end"],
    ...["tool_execution_start", "tool_execution_end"],
    "queue_update",
  ]);
  const ends = events.filter((event) => event.type === "tool_execution_end").map(({ end }) => end);
  assert.deepEqual(ends.map(({ isError }) => isError), [false, false, true]);
  assert.match(ends[2]?.result ?? "", /Skipped due to queued user message/);
});

const say = (content: string) => ({ role: "user", content, timestamp: 1 }) as const;

Deno.test("steers come before follow-ups, one with each request or all at once", async () => {
  for (const mode of ["one-at-a-time", "all"] as const) {
    await using server = startModelServer(() => TEXT);
    const session = sessionOn(server);
    session.queue.steeringMode = mode;
    session.queue.followUpMode = mode;
    for (const text of ["f1", "f2"]) session.queue.addFollowUp(say(text));
    for (const text of ["s1", "s2"]) session.queue.addSteer(say(text));
    const events = await readRun(session.prompt("How many?"));
    const told = events.filter((event) => event.type === "queue_update").map(({ delivery }) =>
      `${delivery?.how} ${delivery?.messages.map(({ content }) => content)}`
    );
    assert.deepEqual(
      told,
      mode === "all"
        ? ["steer s1,s2", "followUp f1,f2"]
        : ["steer s1", "steer s2", "followUp f1", "followUp f2"],
    );
  }
});

Deno.test("a session that keeps its queue has it still after an abort, and a run may begin with it", async () => {
  await using server = startModelServer([{ stream: "openai/text.sse", stallAt: 700 }, TEXT]);
  const session = sessionOn(server, { keepsQueue: true });
  for await (const event of session.prompt("How many?")) {
    if (event.type !== "message_update" || event.update.type !== "text_start") continue;
    session.steer("Only Ireland.");
    void session.abort();
  }
  assert.deepEqual(session.pendingSteers, ["Only Ireland."]);
  const events = await readRun(session.run(session.queue.take({ atEnd: true })?.messages ?? []));
  assert.equal(endOf(events).status, "completed");
  assert.partialDeepStrictEqual(server.asked[1]?.body, {
    messages: [{ role: "system" }, { role: "user", content: "Only Ireland." }],
  });
});
