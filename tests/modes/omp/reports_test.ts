/**
 * What users of such protocols suffered from elsewhere, one test each where no dialogue shows it: framing, order, bounds,
 * ends. The reports are in docs/omp.md.
 */
import assert from "node:assert/strict";
import { longAnswer } from "../../support/long_answer.ts";
import { startModelServer } from "../../support/model_server.ts";
import { type Frame, OmpHost } from "../../support/omp_host.ts";
import { Program, saberCommand } from "../../support/program.ts";
import { shop } from "../../support/shop.ts";
import { repository } from "../../support/sources.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

const TEXT = { stream: "openai/text.sse" };

async function hostOn(baseUrl: string, more: { args?: string[]; env?: Record<string, string> } = {}) {
  return new OmpHost({
    args: ["-d", await shop("sqlite"), "--model", "openai:m", ...more.args ?? ["--no-session"]],
    env: { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: "key", ...more.env },
  });
}

function textsOf(frame: Frame): string[] {
  const { messages } = frame as { messages?: { role: string; content: { text?: string }[] }[] };
  return (messages ?? []).filter(({ role }) => role === "user").map(({ content }) => content[0]?.text ?? "");
}

const ODD = "line\u2028sep\u2029para\u0085nel\rlone\u0000nul 東京 🦕 naïve";

Deno.test("odd characters arrive as they were sent, byte by byte, and separators are escaped on the way back", async () => {
  await using server = startModelServer(() => TEXT);
  await using host = await hostOn(server.baseUrl);
  const line = new TextEncoder().encode(`${JSON.stringify({ id: "1", type: "prompt", message: ODD })}\r\n`);
  for (const byte of line) await host.program.send(new Uint8Array([byte]));
  assert.deepEqual(textsOf(await host.untilType("agent_end")), [ODD]);
  await host.send({ id: "2", type: "get_messages" });
  await host.answer("2");
  await host.program.send('{"id":"3","type":"bash","command":"printf \'\\\\342\\\\200\\\\250\'"}\n');
  while (true) {
    const text = await host.program.line(20_000) ?? assert.fail();
    assert.ok(!/[\u2028\u2029]/.test(text));
    if (text.includes('"id":"3"')) return assert.match(text, /\\u2028/);
  }
});

Deno.test("ten megabytes of garbage, broken UTF-8, null, arrays and bytes one by one are survived", async () => {
  await using server = startModelServer(() => TEXT);
  await using host = await hostOn(server.baseUrl);
  const broken = [
    "x".repeat(10 << 20) + "\n",
    crypto.getRandomValues(new Uint8Array(1 << 16)).map((byte) =>
      byte === 0x0a || byte === 0x0d ? 0x80 : byte
    ),
    "\n",
    new Uint8Array([0xff, 0xfe, 0x00, 0x0a]),
    "null\n",
    '[{"type":"get_state"}]\n',
    "[".repeat(100_000) + "\n",
    '"text"\n',
    "17\n",
    '{"type":7}\n',
  ];
  for (const piece of broken) await host.program.send(piece);
  const answers = broken.length - 1; // one line came in two pieces
  for (const byte of new TextEncoder().encode('{"id":"東","type":"get_last_assistant_text"}\n')) {
    await host.program.send(new Uint8Array([byte]));
  }
  await host.answer("東");
  const told = host.frames.filter(({ type }) => type === "response");
  assert.deepEqual(
    told.slice(0, -1).map(({ command, success }) => [command, success]),
    Array(answers).fill(["parse", false]),
  );
  await host.send({ type: "prompt", message: "How many?" });
  await host.untilType("agent_end");
});

Deno.test("commands that came before ready are answered, and a prompt in the same moment as agent_end is taken", async () => {
  await using server = startModelServer(() => TEXT);
  await using host = await hostOn(server.baseUrl);
  await host.send({ id: "1", type: "get_state" });
  await host.send({ id: "2", type: "prompt", message: "How many?" });
  assert.equal((await host.next())?.type, "ready");
  await host.answer("1");
  for (let n = 0; n < 5; n++) {
    await host.untilType("agent_end");
    await host.send({ id: `p${n}`, type: "prompt", message: "And now?" });
    assert.equal((await host.answer(`p${n}`)).success, true);
  }
  await host.untilType("agent_end");
  const starts = host.frames.filter(({ type }) => type === "agent_start").length;
  assert.equal(host.frames.filter(({ type }) => type === "agent_end").length, starts);
});

Deno.test("a prompt that comes during a compaction is kept, and runs when that is over", async () => {
  await using server = startModelServer([TEXT, { ...TEXT, paceMs: 60 }, TEXT]);
  await using host = await hostOn(server.baseUrl);
  await host.send({ type: "prompt", message: "First?" });
  await host.untilType("agent_end");
  await host.send({ id: "c", type: "compact" });
  await host.send({ id: "p", type: "prompt", message: "Second?" });
  assert.equal((await host.answer("p")).success, true);
  assert.equal((await host.answer("c")).success, true);
  assert.deepEqual(textsOf(await host.untilType("agent_end")), ["Second?"]);
});

Deno.test("a failed compaction by the model leaves a summary and no flag behind", async () => {
  await using server = startModelServer([TEXT, { status: 500, body: "{}" }]);
  await using host = await hostOn(server.baseUrl);
  await host.send({ type: "prompt", message: "First?" });
  await host.untilType("agent_end");
  await host.send({ id: "c", type: "compact" });
  const compacted = await host.answer("c");
  assert.match(JSON.stringify(compacted.data), /What the user asked:\\n- First\?/);
  await host.send({ id: "s", type: "get_state" });
  assert.equal((await host.answer("s") as { data?: { isCompacting?: boolean } }).data?.isCompacting, false);
});

const SIZE = 200 << 10;

for (const [how, length, pace] of [["at once", 8, undefined], ["within ten seconds", 200, 9]] as const) {
  Deno.test(`an answer of 200 KiB that comes ${how} costs less than 12 MiB on the wire`, async () => {
    const stream = { text: longAnswer(SIZE / length, "x".repeat(length)) };
    const play = pace === undefined ? { pieces: { every: 1 << 14 } } : { paceMs: pace / 2 }; // two lines each
    await using server = startModelServer([{ stream, ...play }]);
    await using host = await hostOn(server.baseUrl);
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

Deno.test("no line is longer than a MiB, whatever has to be told", async () => {
  await using server = startModelServer([{ stream: { text: longAnswer(300, "y".repeat(10_000)) } }]);
  await using host = await hostOn(server.baseUrl);
  await host.send({ type: "prompt", message: "Much?" });
  while (true) {
    const text = await host.program.line(30_000) ?? assert.fail();
    assert.ok(new TextEncoder().encode(text).length < 1 << 20);
    const frame: Frame & { messageCount?: number } = JSON.parse(text);
    if (frame.type !== "agent_end") continue;
    assert.equal(frame.messageCount, 2);
    break;
  }
  await host.send({ id: "m", type: "get_messages" });
  assert.equal((await host.answer("m")).success, true);
});

Deno.test("while nobody reads, the model is held up; then everything is there", async () => {
  const pieces = 2000;
  await using server = startModelServer([{
    stream: { text: longAnswer(pieces, "z".repeat(2000)) },
    pieces: { every: 1 << 16 },
  }]);
  await using host = await hostOn(server.baseUrl);
  await host.send({ type: "prompt", message: "Much?" });
  await host.untilType("message_update");
  for (let sent = -1; sent !== server.asked[0]?.sent;) {
    sent = server.asked[0]?.sent ?? 0;
    await new Promise((go) => setTimeout(go, 2000));
  }
  await host.untilType("agent_end");
  await host.send({ id: "t", type: "get_session_stats" });
  assert.equal((await host.answer("t")).success, true);
});

Deno.test("what one process sets is not the next one's default, unless the host says so", async () => {
  const data = await Deno.makeTempDir();
  const env = { PI_CODING_AGENT_DIR: data, XDG_CONFIG_HOME: data, XDG_DATA_HOME: data };
  await using server = startModelServer(() => TEXT);
  const stateAfter = async (persist: boolean) => {
    {
      await using host = await hostOn(server.baseUrl, { env, args: [] });
      const changes = [
        { type: "set_steering_mode", mode: "all" },
        { type: "set_follow_up_mode", mode: "all" },
        { type: "set_interrupt_mode", mode: "wait" },
        { type: "set_thinking_level", level: "high" },
        { type: "set_model", provider: "openai", modelId: "gpt-5" },
      ];
      for (const change of changes) {
        await host.send({ id: change.type, ...change, ...persist ? { persist } : {} });
        assert.equal((await host.answer(change.type)).success, true);
      }
    }
    await using host = new OmpHost({
      args: ["-d", await shop("sqlite"), ...persist ? [] : ["--model", "openai:m"]],
      env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key", ...env },
    });
    await host.send({ id: "s", type: "get_state" });
    return (await host.answer("s")).data;
  };
  const usual = { steeringMode: "one-at-a-time", followUpMode: "one-at-a-time", interruptMode: "immediate" };
  assert.partialDeepStrictEqual(await stateAfter(false), {
    ...usual,
    thinkingLevel: "off",
    model: { id: "m" },
  });
  const chosen = { steeringMode: "all", followUpMode: "all", interruptMode: "wait" };
  assert.partialDeepStrictEqual(await stateAfter(true), {
    ...chosen,
    thinkingLevel: "high",
    model: { id: "gpt-5" },
  });
});

Deno.test("a key that is missing is told when the program starts, by the name of its variable", async () => {
  await using host = new OmpHost({ args: ["-d", await shop("sqlite"), "--model", "openai:m"] });
  assert.equal(await host.next(), undefined);
  assert.match(await host.program.errors(), /OPENAI_API_KEY/);
  assert.equal((await host.program.exit).code, 1);
});

Deno.test("a server that takes a request and never answers fails the answer, visibly, and is asked again", async () => {
  const home = await Deno.makeTempDir();
  const folder = `${home}/sqlsaber`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/config.jsonc`, '{"providers":{"openai":{"silenceSeconds":1}}}');
  await using server = startModelServer([{ ...TEXT, stallAt: 0 }, { ...TEXT, stallAt: 600 }, TEXT]);
  await using host = await hostOn(server.baseUrl, { env: { XDG_CONFIG_HOME: home } });
  await host.send({ type: "prompt", message: "How many?" });
  for (const attempt of [1, 2]) {
    const failed = await host.until(({ type, message }) =>
      type === "message_end" && (message as { stopReason?: string }).stopReason === "error"
    );
    assert.match(JSON.stringify(failed), /sent nothing for 1 s/);
    assert.equal((await host.untilType("auto_retry_start")).attempt, attempt);
  }
  assert.equal((await host.untilType("auto_retry_end")).success, true);
  await host.untilType("agent_end");
});

Deno.test("the model has the tools of saber rpc, and those of this mode besides", async () => {
  const data = await Deno.makeTempDir();
  await using server = startModelServer(() => TEXT);
  const env = {
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_API_KEY: "key",
    XDG_CONFIG_HOME: data,
    XDG_DATA_HOME: data,
  };
  const other = `${data}/other.sqlite`;
  await Deno.copyFile(await shop("sqlite"), other);
  const databases = ["-d", await shop("sqlite"), "-d", other];
  const model = ["--model", "openai:m"];
  await using rpc = new Program({ args: ["rpc", ...databases, "--no-thread", ...model], env });
  await rpc.send('{"type":"prompt","message":"How many?"}\n');
  while (!/"agent_end"/.test(await rpc.line(30_000) ?? assert.fail(await rpc.errors())));
  await using host = new OmpHost({ args: [...databases, "--no-session", ...model], env });
  await host.send({ id: "s", type: "get_state" });
  const { dumpTools } = (await host.answer("s")).data as { dumpTools: { name: string }[] };
  await host.send({ type: "prompt", message: "How many?" });
  await host.untilType("agent_end");
  const [theirs = [], ours = []] = server.asked.map(({ body }) =>
    (body as { tools: { function: { name: string } }[] }).tools.map((tool) => tool.function.name)
  );
  assert.ok(theirs.length >= 4, String(theirs));
  assert.deepEqual(theirs.filter((name) => !ours.includes(name)), []);
  assert.deepEqual(ours.filter((name) => !theirs.includes(name)), ["read", "write", "todo", "ask", "task"]);
  assert.deepEqual(dumpTools.map(({ name }) => name), ours);
});

Deno.test("SIGTERM ends the run in order, and with the code of the signal", async () => {
  for (const [signal, code] of [["SIGTERM", 143], ["SIGHUP", 129], ["SIGINT", 130]] as const) {
    await using server = startModelServer([{ ...TEXT, stallAt: 900 }]);
    await using host = await hostOn(server.baseUrl);
    await host.send({ type: "prompt", message: "How many?" });
    await host.untilType("message_update");
    host.program.signal(signal);
    await host.untilType("agent_end");
    assert.equal((await host.program.exit).code, code);
  }
});

Deno.test("the end of the input while a tool of the host and a question wait ends both, and the program", async () => {
  const chart = { stream: { text: toolCallStream("render_chart", {}) } };
  const ask = { stream: { text: toolCallStream("ask", { question: "Which?", options: ["a"] }) } };
  for (
    const [play, waits, expected] of [
      [
        chart,
        { type: "host_tool_call" },
        /RPC client disconnected before host tool execution completed|Cancelled/,
      ],
      [ask, { method: "select" }, /The user gave no answer|Cancelled/],
    ] as const
  ) {
    await using server = startModelServer([play, { ...TEXT, stallAt: 300 }]);
    await using host = await hostOn(server.baseUrl);
    const tool = { name: "render_chart", description: "Draws", parameters: {} };
    await host.send({ type: "set_host_tools", tools: [tool] });
    await host.send({ type: "prompt", message: "Go." });
    await host.until((frame) => Object.entries(waits).every(([key, value]) => frame[key] === value));
    await host.program.endInput();
    const end = await host.untilType("tool_execution_end");
    assert.match(JSON.stringify(end), expected);
    await host.untilType("agent_end");
    assert.equal((await host.program.exit).code, 0);
  }
});

Deno.test("a tool of the host is the model's from its next request on", async () => {
  await using server = startModelServer(() => TEXT);
  await using host = await hostOn(server.baseUrl);
  const tool = { name: "render_chart", description: "Draws", parameters: {} };
  await host.send({ type: "set_host_tools", tools: [tool] });
  await host.send({ type: "prompt", message: "Go." });
  await host.untilType("agent_end");
  assert.match(JSON.stringify(server.asked[0]?.body), /"name":"render_chart"/);
});

Deno.test("a host that closes the output ends the program quietly", async () => {
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

Deno.test("nothing but frames is printed while DuckDB works", async () => {
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

Deno.test("what the user shows reaches a model that sees, also later; another one is told that it was there", async () => {
  await using server = startModelServer(() => TEXT);
  await using host = await hostOn(server.baseUrl, {
    args: ["--no-session", "--provider", "openai", "--model", "gpt-5"],
  });
  const images = [{ type: "image", data: "aGk=", mimeType: "image/png" }];
  await host.send({ type: "prompt", message: "What is this?", images });
  await host.untilType("agent_end");
  await host.send({ type: "prompt", message: "And now?" });
  await host.untilType("agent_end");
  await host.send({ type: "set_model", provider: "openai", modelId: "m" });
  await host.send({ type: "prompt", message: "And you?" });
  await host.untilType("agent_end");
  const [first, second, third] = server.asked.map(({ body }) => JSON.stringify(body));
  for (const body of [first, second]) assert.match(body ?? "", /data:image\/png;base64,aGk=/);
  assert.doesNotMatch(third ?? "", /base64/);
  assert.match(third ?? "", /1 image\(s\), not shown/);
});
