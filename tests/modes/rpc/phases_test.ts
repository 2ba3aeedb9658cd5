/** A run is aborted, steered and ended in each of its phases: one end, in order, no trace, and nothing left behind. */
import assert from "node:assert/strict";
import { type BusyDatabase, busyDatabases } from "../../support/busy_databases.ts";
import { type Play, startModelServer } from "../../support/model_server.ts";
import { SOON_MS } from "../../support/patience.ts";
import { type HostLine, RpcHost } from "../../support/rpc_host.ts";
import { until } from "../../support/server_process.ts";

const DATABASES = await busyDatabases();
const TEXT: Play = { stream: "openai/text.sse" };

/** A response that calls these tools. */
function calling(...calls: readonly (readonly [tool: string, args: object])[]): Play {
  const toolCalls = calls.map(([name, args], index) => ({
    index,
    id: `call_${index}`,
    function: { name, arguments: JSON.stringify(args) },
  }));
  const chunk = { choices: [{ index: 0, delta: { tool_calls: toolCalls }, finish_reason: "tool_calls" }] };
  return { stream: { text: `data: ${JSON.stringify(chunk)}\n\n` } };
}

interface Phase {
  /** SQLite when left out. */
  readonly engine?: string;
  readonly play: (database: BusyDatabase) => Play;
  /** The line that shows that the phase has been reached. */
  readonly isReached: (line: HostLine) => boolean;
  /** The statement has to run in the database. */
  readonly isBusy?: true;
  /** The run may come to its end by itself before it is stopped. */
  readonly mayComplete?: true;
}

const isUpdate = (type: string) => (line: HostLine) =>
  line.type === "message_update" && line.assistantMessageEvent.type === type;
const isType = (type: HostLine["type"]) => (line: HostLine) => line.type === type;

/** The phase in which a statement runs in the database. */
function working(engine: string): Phase {
  return {
    engine,
    play: ({ endless }) => calling(["execute_sql", { query: endless }]),
    isReached: isType("tool_execution_start"),
    isBusy: true,
  };
}

const PHASES: { readonly [name: string]: Phase } = {
  "before the first token": {
    play: () => ({ stream: "openai/text.sse", stallAt: 0 }),
    isReached: isType("message_start"),
  },
  "inside text": {
    play: () => ({ stream: "openai/text.sse", stallAt: 900 }),
    isReached: isUpdate("text_delta"),
  },
  "inside a tool call's arguments": {
    play: () => ({ stream: "openai/top_customers_2.sse", stallAt: 9000 }),
    isReached: isUpdate("toolcall_delta"),
  },
  ...Object.fromEntries(Object.keys(DATABASES).map((engine) => [`while ${engine} works`, working(engine)])),
  "between two tools": {
    play: ({ endless }) => calling(["list_tables", {}], ["execute_sql", { query: endless }]),
    isReached: isType("tool_execution_end"),
  },
  "after the last token": {
    play: () => TEXT,
    isReached: isType("message_end"),
    mayComplete: true,
  },
};

/** A program in the phase, on a database of its own, of which nothing is held in the end. */
async function inPhase(
  phase: Phase,
  test: (host: RpcHost, database: BusyDatabase) => Promise<void>,
): Promise<void> {
  await using database = await DATABASES[phase.engine ?? "SQLite"]?.() ?? assert.fail();
  await using server = startModelServer((n) => n === 0 ? phase.play(database) : TEXT);
  {
    await using host = new RpcHost({
      args: ["-d", database.target, "--no-thread", "--model", "openai:m"],
      env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
    });
    await host.send({ type: "prompt", message: "How many?", id: "q" });
    await host.until(phase.isReached);
    await server.arrival(0);
    if (phase.isBusy) await until(() => database.isBusy(host.program.pid), "no statement runs");
    await test(host, database);
  }
  await Promise.all(server.asked.map(({ over }) => over));
  await until(async () => !await database.isHeld(), "something of the program is left");
}

/** One end, and nothing of the run after it; its status. */
function statusOf(lines: readonly HostLine[]): string {
  const ends = lines.flatMap((line) => line.type === "agent_end" ? line : []);
  assert.equal(ends.length, 1);
  const rest = lines.slice(lines.findIndex(({ type }) => type === "agent_end") + 1);
  assert.deepEqual(rest.filter(({ type }) => type !== "response"), []);
  return ends[0]?.status ?? "";
}

function assertStopped(phase: Phase, lines: readonly HostLine[]): void {
  const status = statusOf(lines);
  if (status !== "completed" || !phase.mayComplete) assert.equal(status, "aborted");
}

/** The session goes on as if nothing had been. */
async function assertUsable(
  host: RpcHost,
  { messageCount }: { readonly messageCount: number },
): Promise<void> {
  await host.send({ type: "get_state" });
  const state = await host.answerTo("get_state");
  assert.partialDeepStrictEqual(state, { data: { state: "idle", messageCount, pendingSteers: [] } });
  await host.send({ type: "prompt", message: "And now?" });
  const end = await host.until(isType("agent_end"));
  assert.ok(end.type === "agent_end" && end.status === "completed");
  assert.equal(end.messages.length, 2);
  await host.send({ type: "shutdown" });
  assert.equal(await host.end(), 0);
}

for (const [name, phase] of Object.entries(PHASES)) {
  Deno.test(`an abort ${name}`, async () => {
    await inPhase(phase, async (host, database) => {
      const aborted = performance.now();
      await host.send({ type: "abort", id: "a" });
      const answer = await host.answerTo("abort");
      const took = performance.now() - aborted;
      assert.ok(took < SOON_MS, `the abort took ${took} ms`);
      assertStopped(phase, host.lines);
      await until(async () => !await database.isBusy(host.program.pid), "the statement runs on");
      const isAborted = host.lines.some((line) => line.type === "agent_end" && line.status === "aborted");
      assert.partialDeepStrictEqual(answer, { success: true, id: "a", data: { aborted: isAborted } });
      await assertUsable(host, { messageCount: isAborted ? 0 : 2 });
    });
  });

  Deno.test(`a steer, then an abort ${name}`, async () => {
    await inPhase(phase, async (host) => {
      await host.send({ type: "steer", message: "Only Ireland." });
      const answer = await host.answerTo("steer");
      if (answer.success) {
        const at = host.lines.length;
        await host.until(isType("queue_update"));
        assert.deepEqual(host.lines[at], { type: "queue_update", steering: ["Only Ireland."] });
      } else assert.ok(phase.mayComplete);
      await host.send({ type: "abort" });
      await host.answerTo("abort");
      assertStopped(phase, host.lines);
      const updates = host.lines.filter(isType("queue_update"));
      if (answer.success) assert.deepEqual(updates.at(-1), { type: "queue_update", steering: [] });
      await host.send({ type: "get_messages" });
      const told = await host.answerTo("get_messages");
      assert.ok(told.success && told.command === "get_messages");
      const messageCount = told.data.messages.length;
      if (!phase.mayComplete) assert.equal(messageCount, 0);
      await assertUsable(host, { messageCount });
    });
  });

  Deno.test(`a shutdown ${name}`, async () => {
    await inPhase(phase, async (host) => {
      await host.send({ type: "shutdown", id: "bye" });
      assert.equal(await host.end(), 0);
      assertStopped(phase, host.lines);
      assert.deepEqual(host.lines.at(-1), {
        type: "response",
        command: "shutdown",
        success: true,
        id: "bye",
      });
    });
  });

  Deno.test(`the end of the input ${name}`, async () => {
    await inPhase(phase, async (host) => {
      await host.program.endInput();
      assert.equal(await host.end(), 0);
      assertStopped(phase, host.lines);
      assert.equal(host.lines.at(-1)?.type, "agent_end");
    });
  });

  Deno.test(`SIGTERM ${name}`, async () => {
    await inPhase(phase, async (host) => {
      host.program.signal("SIGTERM");
      assert.equal(await host.end(), 0);
      assertStopped(phase, host.lines);
      assert.equal(host.lines.at(-1)?.type, "agent_end");
    });
  });
}
