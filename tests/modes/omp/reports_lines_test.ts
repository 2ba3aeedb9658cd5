/**
 * What users of such protocols suffered from elsewhere, one test each: lines that are cut, too long, too many, or no frames.
 * docs/omp.md lists all of them.
 */
import assert from "node:assert/strict";
import { garbage, sendByteByByte } from "../../support/garbage.ts";
import { longAnswer } from "../../support/long_answer.ts";
import { residentMiB } from "../../support/memory.ts";
import { startModelServer } from "../../support/model_server.ts";
import { type Frame, OmpHost, ompHostOn, userTexts } from "../../support/omp_host.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { saberCommand } from "../../support/program.ts";
import { shop } from "../../support/shop.ts";
import { repository } from "../../support/sources.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

/** What a reader that stands still may cost: what is queued, the answer so far, garbage that was not collected yet. */
const MAX_GROWTH_MIB = 60;

const TEXT = { stream: "openai/text.sse" };

const ODD = "line\u2028sep\u2029para\u0085nel\rlone\u0000nul 東京 🦕 naïve";

Deno.test("report 1 (earendil-works/pi#1911), report 3 (nexu-io/open-design#7465): odd characters, also byte by byte, arrive as they were sent", async () => {
  await using server = startModelServer(() => TEXT);
  await using host = await ompHostOn(server.baseUrl);
  const line = new TextEncoder().encode(`${JSON.stringify({ id: "1", type: "prompt", message: ODD })}\r\n`);
  for (const byte of line) await host.program.send(new Uint8Array([byte]));
  assert.deepEqual(userTexts(await host.untilType("agent_end")), [ODD]);
});

Deno.test("report 2 (svkozak/pi-acp#41): separators that some readers take for the end of a line are escaped", async () => {
  await using server = startModelServer(() => TEXT);
  await using host = await ompHostOn(server.baseUrl);
  await host.send({ type: "prompt", message: ODD });
  await host.send({ type: "bash", command: "printf '\\342\\200\\250'" });
  const told: string[] = [];
  while (
    !told.some((text) => text.includes('"agent_end"')) ||
    !told.some((text) => text.includes('"command":"bash"'))
  ) {
    told.push(await host.program.line(PATIENCE_MS) ?? assert.fail());
  }
  assert.doesNotMatch(told.join(""), /[\u2028\u2029]/);
  assert.match(told.find((text) => text.includes('"command":"bash"')) ?? "", /\\u2028/);
  assert.match(told.find((text) => text.includes('"agent_end"')) ?? "", /line\\u2028sep\\u2029para/);
});

Deno.test("report 4 (can1357/oh-my-pi#5194): ten megabytes of garbage, broken UTF-8, null, arrays and bytes one by one are survived", async () => {
  await using server = startModelServer(() => TEXT);
  await using host = await ompHostOn(server.baseUrl);
  const lines = garbage();
  for (const line of lines) await host.program.send(line);
  await sendByteByByte(host.program, '{"id":"東","type":"get_last_assistant_text"}\n');
  await host.answer("東");
  const told = host.frames.filter(({ type }) => type === "response");
  assert.deepEqual(
    told.slice(0, -1).map(({ command, success }) => [command, success]),
    lines.map(() => ["parse", false]),
  );
  await host.send({ type: "prompt", message: "How many?" });
  await host.untilType("agent_end");
});

Deno.test("report 8 (earendil-works/pi#2388): nothing but frames is printed while DuckDB works", async () => {
  const query = "SELECT count(*) AS n FROM range(300000000) a(i) WHERE i % 7 = 3";
  await using server = startModelServer([
    { stream: { text: toolCallStream("execute_sql", { query }) } },
    TEXT,
  ]);
  await using host = new OmpHost({
    args: ["-d", await shop("duckdb"), "--model", "openai:m", "--no-session"],
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
  });
  await host.send({ type: "prompt", message: "Count." });
  assert.equal((await host.untilType("tool_execution_end")).isError, false);
  await host.untilType("agent_end");
});

Deno.test("report 9 (earendil-works/pi#4897): while nobody reads, the model is held up; then everything is there", async () => {
  const pieces = 15_000;
  await using server = startModelServer([{
    stream: { text: longAnswer(pieces, "z".repeat(2000)) },
    pieces: { every: 1 << 16 },
  }]);
  await using host = await ompHostOn(server.baseUrl);
  await host.send({ type: "prompt", message: "Much?" });
  await host.untilType("message_update");
  const before = await residentMiB(host.program.pid);
  for (let sent = -1; sent !== server.asked[0]?.sent;) {
    sent = server.asked[0]?.sent ?? 0;
    await new Promise((go) => setTimeout(go, 2000));
  }
  assert.ok((server.asked[0]?.sent ?? 0) < pieces * 2000, "the model was not held up");
  const grown = await residentMiB(host.program.pid) - before;
  assert.ok(grown < MAX_GROWTH_MIB, `the memory grew by ${grown} MiB`);
  await host.untilType("agent_end");
  await host.send({ id: "t", type: "get_session_stats" });
  assert.equal((await host.answer("t")).success, true);
});

Deno.test("report 9 (earendil-works/pi#7860): a host that closes the output ends the program quietly", async () => {
  await using server = startModelServer(() => ({ ...TEXT, stallAt: 900 }));
  const args = ["--mode", "rpc", "-d", await shop("sqlite"), "--no-session", "--model", "openai:m"];
  const [command = "", ...words] = saberCommand();
  const child = new Deno.Command(command, {
    args: [...words, ...args],
    cwd: repository,
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  const output = child.stdout.getReader();
  await output.read();
  await output.cancel();
  await input.write(new TextEncoder().encode('{"type":"get_state"}\n'.repeat(50)));
  const errors = await new Response(child.stderr).text();
  assert.deepEqual([(await child.status).code, errors], [0, ""]);
  await input.close().catch(() => {});
});

Deno.test("report 10 (can1357/oh-my-pi#6330): no line is longer than a MiB, whatever has to be told", async () => {
  await using server = startModelServer([{ stream: { text: longAnswer(300, "y".repeat(10_000)) } }]);
  await using host = await ompHostOn(server.baseUrl);
  await host.send({ type: "prompt", message: "Much?" });
  while (true) {
    const text = await host.program.line(PATIENCE_MS) ?? assert.fail();
    assert.ok(new TextEncoder().encode(text).length < 1 << 20);
    const frame: Frame & { messageCount?: number } = JSON.parse(text);
    if (frame.type !== "agent_end") continue;
    assert.equal(frame.messageCount, 2);
    break;
  }
  await host.send({ id: "m", type: "get_messages" });
  assert.equal((await host.answer("m")).success, true);
});

Deno.test("report 10 (can1357/oh-my-pi#5413): images of many MiB are told of without them, and the list of messages comes", async () => {
  await using server = startModelServer(() => TEXT);
  const args = ["--no-session", "--model", "openai:gpt-5"];
  await using host = await ompHostOn(server.baseUrl, { args });
  const data = "iVBORw0K".repeat(400_000);
  const images = [{ type: "image", data, mimeType: "image/png" }, {
    type: "image",
    data: "aGk=",
    mimeType: "image/png",
  }];
  await host.send({ type: "prompt", message: "What are these?", images });
  await host.send({ id: "m", type: "get_messages" });
  const widths: number[] = [];
  for (let isOver = false, isListed = false; !isOver || !isListed;) {
    const text = await host.program.line(PATIENCE_MS) ?? assert.fail();
    widths.push(text.length);
    const frame: Frame = JSON.parse(text);
    isOver ||= frame.type === "agent_end";
    isListed ||= frame.id === "m" && frame.success === true;
  }
  assert.ok(Math.max(...widths) < 1 << 20, `${Math.max(...widths)} characters`);
  assert.ok(JSON.stringify(server.asked[0]?.body).includes(data), "the model has the whole image");
});

const SIZE = 200 << 10;

for (const [how, length, pace] of [["at once", 8, undefined], ["within ten seconds", 200, 9]] as const) {
  Deno.test(`report 11 (agegr/pi-web#375): an answer of 200 KiB that comes ${how} costs less than 12 MiB on the wire`, async () => {
    const stream = { text: longAnswer(SIZE / length, "x".repeat(length)) };
    const play = pace === undefined ? { pieces: { every: 1 << 14 } } : { paceMs: pace / 2 }; // two lines each
    await using server = startModelServer([{ stream, ...play }]);
    await using host = await ompHostOn(server.baseUrl);
    await host.send({ type: "prompt", message: "Much?" });
    const end = await host.untilType("agent_end");
    assert.ok(JSON.stringify(end).length > SIZE);
    assert.ok(host.size < 12 << 20, `${host.size} characters`);
    const deltas = host.frames.flatMap((frame) => {
      const { assistantMessageEvent: event } = frame as {
        assistantMessageEvent?: { type: string; delta: string };
      };
      return event?.type === "text_delta" ? [event.delta] : [];
    });
    assert.equal(deltas.join("").length, SIZE);
  });
}
