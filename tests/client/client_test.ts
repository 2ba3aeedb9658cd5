import assert from "node:assert/strict";
import { Saber } from "../../src/client/client.ts";
import { CommandError, GoneError } from "../../src/client/errors.ts";
import type { RunEvent } from "../../src/client/types.ts";
import { type ModelServer, type Play, startModelServer } from "../support/model_server.ts";
import { saberCommand } from "../support/program.ts";
import { shop } from "../support/shop.ts";

const TEXT: Play = { stream: "openai/text.sse" };
const ANSWER = "Es gibt 63 Kundinnen – naïve 東京 🦕.";

async function start(
  server: ModelServer,
  options: Partial<Parameters<typeof Saber.start>[0]> = {},
): Promise<Saber> {
  const [program = "", ...words] = saberCommand();
  return await Saber.start({
    command: [program, ...words],
    args: ["-d", await shop("sqlite"), "--no-thread", "--model", "openai:m"],
    env: { ...Deno.env.toObject(), OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
    ...options,
  });
}

Deno.test("a host asks, reads the run, and fetches the rows", async () => {
  await using server = startModelServer([1, 2, 3].map((n) => ({ stream: `openai/top_customers_${n}.sse` })));
  await using saber = await start(server);
  assert.equal(saber.ready.database.type, "SQLite");
  const events: RunEvent[] = [];
  for await (const event of await saber.prompt("Top customers?")) events.push(event);
  assert.equal(events[0]?.type, "agent_start");
  const end = events.at(-1);
  assert.ok(end?.type === "agent_end" && end.status === "completed");
  assert.deepEqual(events.filter(({ type }) => type === "agent_end").length, 1);
  const [result] = end.queryResults;
  assert.ok(result);
  const page = await saber.request("get_query_result", { resultId: result.id, limit: 2 });
  assert.deepEqual([page.rows.length, page.hasMore, page.result], [2, true, result]);
  assert.deepEqual(await saber.request("get_last_assistant_text", {}), { text: end.text });
  assert.equal((await saber.request("get_messages", {})).messages.length, end.messages.length);
});

Deno.test("what saber refuses is an error with saber's sentence, and no end of the conversation", async () => {
  await using server = startModelServer(() => TEXT);
  await using saber = await start(server);
  await assert.rejects(
    saber.request("steer", { message: "Now." }),
    (error) =>
      error instanceof CommandError && error.command === "steer" &&
      error.message.startsWith("No query is running."),
  );
  await assert.rejects(saber.prompt(" "), new CommandError("prompt", "message must be a non-empty string"));
  const answers = await Promise.all([1, 2, 3].map(() => saber.request("get_state", {})));
  assert.deepEqual(answers.map(({ state }) => state), ["idle", "idle", "idle"]);
  for await (const event of await saber.prompt("How many?")) {
    if (event.type === "agent_end") assert.ok(event.status === "completed" && event.text === ANSWER);
  }
});

Deno.test("leaving a run aborts it; the next one begins", async () => {
  await using server = startModelServer([{ stream: "openai/text.sse", stallAt: 900 }, TEXT]);
  await using saber = await start(server);
  for await (const event of await saber.prompt("How many?")) {
    if (event.type === "message_update") break;
  }
  const state = await saber.request("get_state", {});
  assert.deepEqual({ type: "ready", protocolVersion: 1, ...state }, saber.ready);
  assert.equal(await server.asked[0]?.over, "given up");
  const events = await Array.fromAsync(await saber.prompt("How many?"));
  assert.partialDeepStrictEqual(events.at(-1), { type: "agent_end", status: "completed", text: ANSWER });
});

Deno.test("a process that dies is told of to everyone who waits, and later", async () => {
  await using server = startModelServer([{ stream: "openai/text.sse", stallAt: 900 }]);
  const folder = await Deno.makeTempDir();
  const script = `echo $$ > ${folder}/pid; exec "$@"`;
  await using saber = await start(server, { command: ["sh", "-c", script, "sh", ...saberCommand()] });
  const run = await saber.prompt("How many?");
  const pid = Number(await Deno.readTextFile(`${folder}/pid`));
  Deno.kill(pid, "SIGSTOP");
  const waiting = saber.request("get_state", {});
  waiting.catch(() => {});
  Deno.kill(pid, "SIGKILL");
  const isGone = (error: unknown) =>
    error instanceof GoneError && error.message === "saber ended by the signal SIGKILL.";
  await assert.rejects(waiting, isGone);
  await assert.rejects(Array.fromAsync(run), isGone);
  await assert.rejects(saber.request("get_state", {}), isGone);
  await assert.rejects(saber.prompt("How many?"), isGone);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a start that fails says why", async () => {
  await using server = startModelServer([]);
  await assert.rejects(
    start(server, { args: ["-d", "absent.sqlite", "--no-thread"] }),
    (error) =>
      error instanceof CommandError && error.command === "startup" && error.message.includes("absent.sqlite"),
  );
  await assert.rejects(
    start(server, { args: ["--nope"] }),
    (error) => {
      assert.ok(error instanceof GoneError);
      assert.match(error.message, /^saber ended with the exit code 2. It said: [^]*saber: Unknown option/);
      return true;
    },
  );
  await assert.rejects(
    start(server, { command: ["no-such-saber"] }),
    (error) => error instanceof GoneError && error.message.startsWith("Cannot start no-such-saber: "),
  );
  await assert.rejects(
    start(server, { command: ["echo", "hello"] }),
    (error) => error instanceof GoneError && error.message.includes('"hello rpc'),
  );
});

Deno.test("what is no saber, or is not waited for, is ended", async () => {
  await using server = startModelServer([]);
  const folder = await Deno.makeTempDir();
  const lingering = (says: string) =>
    ["sh", "-c", `echo $$ > ${folder}/pid; echo '${says}'; exec sleep 60`] as const;
  const hasEnded = async () => {
    const pid = (await Deno.readTextFile(`${folder}/pid`)).trim();
    const isThere = async () =>
      (await new Deno.Command("ps", { args: ["-o", "stat=", "-p", pid] }).output()).stdout.length > 0;
    while (await isThere()) await new Promise((go) => setTimeout(go, 50));
  };
  for (const says of ["no JSON", "{}", '{"type":"message_start"}']) {
    await assert.rejects(start(server, { command: lingering(says) }), GoneError);
    await hasEnded();
  }
  const controller = new AbortController();
  const starting = start(server, {
    command: ["sh", "-c", `echo $$ > ${folder}/pid; exec sleep 60`],
    signal: controller.signal,
  });
  setTimeout(() => controller.abort(new Error("enough")), 500);
  await assert.rejects(starting, /enough/);
  await hasEnded();
  await assert.rejects(start(server, { signal: AbortSignal.abort(new Error("at once")) }), /at once/);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a wait can be given up", async () => {
  await using server = startModelServer([{ stream: "openai/text.sse", stallAt: 900 }]);
  await using saber = await start(server);
  const controller = new AbortController();
  const waiting = saber.request("get_tables", {}, controller);
  controller.abort(new Error("enough"));
  await assert.rejects(waiting, /enough/);
  await assert.rejects(saber.request("get_state", {}, controller), /enough/);
  assert.equal((await saber.request("get_state", {})).state, "idle");
});

Deno.test("a run that nobody reads holds saber up, and loses nothing", async () => {
  const piece = "x".repeat(60_000);
  const chunk = `data: ${JSON.stringify({ choices: [{ delta: { content: piece } }] })}\n\n`;
  const text = chunk.repeat(500) + 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n';
  await using server = startModelServer([{ stream: { text }, pieces: { every: 1 << 17 } }]);
  await using saber = await start(server);
  const run = await saber.prompt("Much?");
  let sent = -1;
  while (sent !== server.asked[0]?.sent) {
    sent = server.asked[0]?.sent ?? 0;
    await new Promise((go) => setTimeout(go, 500));
  }
  assert.ok(sent < text.length, "everything was sent to a host that reads nothing");
  let units = 0;
  for await (const event of run) {
    if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta") {
      units += event.assistantMessageEvent.delta.length;
    }
  }
  assert.equal(units, 500 * piece.length);
});

Deno.test("numbers keep their digits for a host that wants them", async () => {
  const sql = "SELECT 9007199254740993 AS big, -5 AS small, 0.1 AS tenth";
  const call = {
    index: 0,
    id: "call_1",
    function: { name: "execute_sql", arguments: JSON.stringify({ query: sql }) },
  };
  const text = `data: ${
    JSON.stringify({ choices: [{ delta: { tool_calls: [call] }, finish_reason: "tool_calls" }] })
  }\n\n`;
  for (const [numbers, big] of [["exact", 9007199254740993n], ["double", 9007199254740992]] as const) {
    await using server = startModelServer([{ stream: { text } }, TEXT]);
    await using saber = await start(server, { numbers });
    const end = (await Array.fromAsync(await saber.prompt("Numbers?"))).at(-1);
    const resultId = end?.type === "agent_end" && end.status === "completed"
      ? end.queryResults[0]?.id
      : undefined;
    assert.ok(resultId, JSON.stringify(end));
    const { rows } = await saber.request("get_query_result", { resultId });
    assert.deepEqual(rows, [{ big, small: -5, tenth: 0.1 }]);
  }
});
