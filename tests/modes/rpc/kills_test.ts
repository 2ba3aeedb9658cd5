/**
 * A session that prompts, steers and resumes is killed at random instants, two sessions on one store at a time: the store
 * always opens, every turn whose end was told is there, and none is there in part.
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { Event } from "../../../src/modes/rpc/contract/events.ts";
import { fileSum } from "../../../src/store/file_sum.ts";
import { type ModelServer, type Play, startModelServer } from "../../support/model_server.ts";
import { random } from "../../support/mutate.ts";
import { type HostLine, RpcHost } from "../../support/rpc_host.ts";
import { shop } from "../../support/shop.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

const KILLS = 200;
const SESSIONS = 2;
/** When a program is killed: this long after its start at most, in milliseconds, or this many first turns after `ready`. */
const STARTING_MS = 500;
const WORKING_TURNS = 2;

type Message = Extract<Event, { type: "agent_end"; status: "completed" }>["messages"][number];

/** What a host knows of its thread. */
interface Known {
  id: string | undefined;
  messages: Message[];
  /** The latest prompt whose end it was not told of. */
  pending: string | undefined;
  /**
   * All such prompts. A turn that was being committed when its process was killed may come to light later, when SQLite
   * reads its log anew; it is whole then.
   */
  readonly untold: Set<string>;
}

interface Surroundings {
  readonly data: string;
  readonly database: string;
  readonly server: ModelServer;
  readonly chance: () => number;
}

/** The program of one life; a thread goes on. */
function open({ data, database, server }: Omit<Surroundings, "chance">, thread: string | undefined): RpcHost {
  return new RpcHost({
    args: ["-d", database, "--model", "openai:m", ...thread === undefined ? [] : ["--thread", thread]],
    env: { XDG_DATA_HOME: data, OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
  });
}

/** How long this machine takes for the first turn after `ready`, in milliseconds, with a statement and all else that it may do. */
async function measureTurn(around: Omit<Surroundings, "chance">): Promise<number> {
  await using host = open(around, undefined);
  await host.until((line) => line.type === "ready");
  const begun = performance.now();
  await host.send({ type: "prompt", message: "How long?" });
  await host.until((line) => line.type === "agent_end");
  return performance.now() - begun;
}

const SQL = "SELECT id, name FROM customers ORDER BY id LIMIT 50";
const TEXT: Play = { stream: "openai/text.sse" };
const STATEMENT: Play = { stream: { text: toolCallStream("execute_sql", { query: SQL }) } };
const PLAYS = [TEXT, { ...TEXT, paceMs: 2 }, STATEMENT];

/** Prompts, and steers now and then, until it is killed. */
async function work(host: RpcHost, known: Known, { chance }: Surroundings): Promise<void> {
  for (let n = 0;; n++) {
    const message = `question ${n} ${crypto.randomUUID()}`;
    known.pending = message;
    known.untold.add(message);
    await host.send({ type: "prompt", message });
    if (chance() < 0.4) await host.send({ type: "steer", message: `steer ${n}` });
    let line: HostLine | undefined;
    do {
      line = await host.next();
      if (line === undefined) return;
    } while (line.type !== "agent_end");
    assert.ok(line.status === "completed", JSON.stringify(line));
    known.pending = undefined;
    known.untold.delete(message);
    // A turn that came to light meanwhile makes this conversation a thread of its own.
    known.id = line.threadId ?? assert.fail("a thread that was saved has an id");
    known.messages.push(...line.messages);
  }
}

/**
 * The thread as the program gives it, which may have the turn whose end was not told: whole, then. False when the program
 * was killed before it answered.
 */
async function compare(host: RpcHost, known: Known): Promise<boolean> {
  await host.send({ type: "get_messages" });
  const line = await host.next();
  if (line === undefined) return false;
  assert.ok(line.type === "response" && line.success && line.command === "get_messages");
  const { messages } = line.data;
  assert.deepEqual(messages.slice(0, known.messages.length), known.messages);
  const more = messages.slice(known.messages.length);
  const starts = more.flatMap((message, at) =>
    message.role === "user" && known.untold.delete(message.content) ? at : []
  );
  assert.ok(more.length === 0 || starts[0] === 0, "a turn that nobody asked for");
  starts.forEach((start, n) => assertTurn(more.slice(start, starts[n + 1])));
  known.messages = messages;
  known.pending = undefined;
  return true;
}

function assertTurn(turn: readonly Message[]): void {
  const last = turn.at(-1);
  assert.ok(last?.role === "assistant" && last.stopReason === "stop");
  const calls = turn.flatMap((message) => message.role === "assistant" ? message.content : [])
    .flatMap((block) => block.type === "toolCall" ? block.id : []);
  const answers = turn.flatMap((message) => message.role === "toolResult" ? message.toolCallId : []);
  assert.deepEqual(answers, calls);
}

/** One life of the program. Reading ends where the kill cut a line. */
async function live(known: Known, around: Surroundings & { readonly turnMs: number }): Promise<void> {
  const { chance, turnMs } = around;
  await using host = open(around, known.id);
  let isKilled = false;
  const killAfter = (ms: number) =>
    setTimeout(() => {
      isKilled = true;
      host.program.signal("SIGKILL");
    }, ms);
  let timer = chance() < 0.2 ? killAfter(chance() * STARTING_MS) : undefined;
  try {
    const ready = await host.next();
    timer ??= killAfter(chance() * WORKING_TURNS * turnMs);
    if (ready === undefined) return;
    assert.ok(ready.type === "ready", JSON.stringify(ready));
    assert.ok(ready.messageCount >= known.messages.length);
    if (known.id !== undefined && !await compare(host, known)) return;
    await work(host, known, around);
  } catch (error) {
    if (!isKilled || !(error instanceof SyntaxError)) throw error;
  } finally {
    clearTimeout(timer);
    if (!isKilled) host.program.signal("SIGKILL");
  }
}

/** The file itself, and a thread whose id was not told yet. */
function lookInto(data: string, known: Known): void {
  const path = `${data}/sqlsaber/saber.db`;
  try {
    Deno.statSync(path);
  } catch {
    return assert.equal(known.id, undefined);
  }
  using db = new DatabaseSync(path);
  db.exec("PRAGMA busy_timeout = 5000");
  assert.deepEqual(db.prepare("PRAGMA integrity_check").all().map((row) => row.integrity_check), ["ok"]);
  assert.deepEqual(db.prepare("PRAGMA foreign_key_check").all(), []);
  if (known.id !== undefined || known.pending === undefined) return;
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'threads'").get();
  const row = isThere && db.prepare("SELECT id FROM threads WHERE title = ?").get(known.pending);
  if (row) known.id = String(row.id);
  else known.pending = undefined;
}

/** Every row that a turn speaks of is on the disk, byte for byte. */
async function assertResults(data: string, messages: readonly Message[]): Promise<number> {
  const results = messages.flatMap((message) =>
    message.role === "toolResult" ? message.queryResult ?? [] : []
  );
  for (const { id, size, sha256 } of results) {
    assert.deepEqual(await fileSum(`${data}/sqlsaber/results/${id}/rows.ndjson`), { size, sha256 });
  }
  return results.length;
}

Deno.test(`after each of ${KILLS} kills the store opens with every told turn, and with none in part`, async () => {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  const chance = random(seed);
  const data = await Deno.makeTempDir();
  const measured = [STATEMENT, TEXT];
  await using server = startModelServer(() =>
    measured.shift() ?? PLAYS[Math.floor(chance() * PLAYS.length)] ?? assert.fail()
  );
  const surroundings = { data, database: await shop("sqlite"), server };
  const around = { ...surroundings, chance, turnMs: await measureTurn(surroundings) };
  let left = KILLS;
  const session = async (): Promise<Known[]> => {
    const threads: Known[] = [{ id: undefined, messages: [], pending: undefined, untold: new Set() }];
    while (left-- > 0) {
      if (chance() < 0.1) {
        threads.push({ id: undefined, messages: [], pending: undefined, untold: new Set() });
      }
      const known = threads.at(-1) ?? assert.fail();
      await live(known, around);
      lookInto(data, known);
    }
    return threads;
  };
  const threads = (await Promise.all(Array.from({ length: SESSIONS }, session)).catch((cause) => {
    throw new Error(`with the seed ${seed}`, { cause });
  })).flat();
  const turns = threads.flatMap(({ messages }) => messages).filter(({ role }) => role === "user").length;
  assert.ok(turns >= KILLS / 20, `only ${turns} turns were completed`);
  const results = await Promise.all(threads.map(({ messages }) => assertResults(data, messages)));
  assert.ok(results.some((count) => count > 0), "no turn has a result");
  await Deno.remove(data, { recursive: true });
});
