/** A run is steered in each of its phases and goes on: the model is told once, in order, and the history has it so. */
import assert from "node:assert/strict";
import { busyDatabases } from "../../support/busy_databases.ts";
import { startModelServer, type StreamPlay } from "../../support/model_server.ts";
import { type HostLine, RpcHost } from "../../support/rpc_host.ts";
import { toolCallsStream } from "../../support/tool_call_stream.ts";

const DATABASES = await busyDatabases();
const STEER = "Only Ireland.";
/** Statements that take seconds, by engine. */
const SLOW: { readonly [engine: string]: string } = {
  SQLite:
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000000) SELECT count(*) FROM n",
  DuckDB: "SELECT count(*) FROM range(3000000) a, range(2000) b",
  PostgreSQL: "SELECT count(*) FROM (SELECT generate_series(1, 30000000)) AS slow",
  MariaDB: "SELECT count(*) FROM seq_1_to_100000000",
};

interface Phase {
  /** SQLite when left out. */
  readonly engine?: string;
  readonly play: StreamPlay;
  /** Of the first response, after which it is held until the steer has been taken. */
  readonly heldAt?: number;
  /** The line that shows that the phase has been reached. */
  readonly isReached: (line: HostLine) => boolean;
  /** How many tools have ended when the steer is taken. */
  readonly ended?: number;
}

const isType = (type: HostLine["type"]) => (line: HostLine) => line.type === type;
const isUpdate = (type: string, end = "") => (line: HostLine) =>
  line.type === "message_update" && line.assistantMessageEvent.type === type &&
  "delta" in line.assistantMessageEvent && line.assistantMessageEvent.delta.endsWith(end);

function calling(...calls: readonly { readonly name: string; readonly args: object }[]): StreamPlay {
  return { stream: { text: toolCallsStream(calls) } };
}

const slow = (engine: string) => ({ name: "execute_sql", args: { query: SLOW[engine] } });

function working(engine: string): Phase {
  return { engine, play: calling(slow(engine)), isReached: isType("tool_execution_start") };
}

const PHASES: { readonly [name: string]: Phase } = {
  "before the first token": {
    play: { stream: "openai/text.sse" },
    heldAt: 0,
    isReached: isType("message_start"),
  },
  "inside text": { play: { stream: "openai/text.sse" }, heldAt: 900, isReached: isUpdate("text_delta") },
  "inside a tool call's arguments": {
    play: { stream: "openai/top_customers_2.sse" },
    heldAt: 9000,
    isReached: isUpdate("toolcall_delta"),
  },
  ...Object.fromEntries(Object.keys(SLOW).map((engine) => [`while ${engine} works`, working(engine)])),
  "between two tools": {
    play: calling({ name: "list_tables", args: {} }, slow("SQLite")),
    isReached: isType("tool_execution_end"),
    ended: 1,
  },
  "after the last token": {
    play: { stream: "openai/text.sse" },
    heldAt: 1564, // all but the reason for which it ended
    isReached: isUpdate("text_delta", "."),
  },
};

/** Steers in the phase and lets the run go on to its end. */
async function steerIn(host: RpcHost, { phase, release }: { phase: Phase; release: () => void }) {
  await host.send({ type: "prompt", message: "How many?" });
  await host.until(phase.isReached);
  await host.send({ type: "steer", message: STEER });
  assert.partialDeepStrictEqual(await host.answerTo("steer"), {
    success: true,
    data: { pendingSteers: [STEER] },
  });
  assert.equal(host.lines.filter(isType("tool_execution_end")).length, phase.ended ?? 0);
  assert.deepEqual(await host.next(), { type: "queue_update", steering: [STEER] });
  release();
  const end = await host.until(isType("agent_end"));
  assert.ok(end.type === "agent_end" && end.status === "completed");
  return end;
}

for (const [name, phase] of Object.entries(PHASES)) {
  Deno.test(`a steer ${name}, delivered once`, async () => {
    await using database = await DATABASES[phase.engine ?? "SQLite"]?.() ?? assert.fail();
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    const hold = phase.heldAt === undefined ? {} : { hold: { at: phase.heldAt, until } };
    const text = { stream: "openai/text.sse" };
    await using server = startModelServer((n) => n === 0 ? { ...phase.play, ...hold } : text);
    await using host = new RpcHost({
      args: ["-d", database.target, "--no-thread", "--model", "openai:m"],
      env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
    });
    const { messages } = await steerIn(host, { phase, release });
    const updates = host.lines.flatMap((line, at) => line.type === "queue_update" ? [{ line, at }] : []);
    assert.deepEqual(updates.map(({ line }) => line.steering), [[STEER], []]);
    assert.equal(host.lines[(updates[1]?.at ?? 0) + 1]?.type, "message_start");
    const users = messages.flatMap((message, at) => message.role === "user" ? [[message.content, at]] : []);
    assert.deepEqual(users, [["How many?", 0], [STEER, messages.length - 2]]);
    assert.deepEqual(messages.filter((message) => message.role === "toolResult" && message.isError), []);
    assert.equal(server.asked.length, 2);
    assert.deepEqual(server.asked.map(({ body }) => JSON.stringify(body).split(STEER).length - 1), [0, 1]);
    await host.send({ type: "get_messages" });
    assert.partialDeepStrictEqual(await host.answerTo("get_messages"), { data: { messages } });
    await host.send({ type: "prompt", message: "And now?" });
    assert.partialDeepStrictEqual(await host.until(isType("agent_end")), { status: "completed" });
    await host.send({ type: "get_state" });
    assert.partialDeepStrictEqual(await host.answerTo("get_state"), {
      data: { state: "idle", pendingSteers: [], messageCount: messages.length + 2 },
    });
    await host.send({ type: "shutdown" });
    assert.equal(await host.end(), 0);
  });
}
