/**
 * What users of such protocols suffered from elsewhere, one test each: starts, ends, and what is left behind.
 * docs/omp.md lists all of them.
 */
import assert from "node:assert/strict";
import { startModelServer } from "../../support/model_server.ts";
import { OmpHost, ompHostOn, userTexts } from "../../support/omp_host.ts";
import { isAlive, settles } from "../../support/processes.ts";
import { shop } from "../../support/shop.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

const TEXT = { stream: "openai/text.sse" };
/** A second where nothing else runs. */
const KILL_MS = 10_000;

Deno.test("report 19 (earendil-works/pi#9328): SIGTERM ends the run in order, and with the code of the signal", async () => {
  for (
    const [signal, code] of [["SIGTERM", 143], ["SIGHUP", 129], [
      "SIGINT",
      130,
    ]] as const
  ) {
    await using server = startModelServer([{ ...TEXT, stallAt: 900 }]);
    await using host = await ompHostOn(server.baseUrl);
    await host.send({ type: "prompt", message: "How many?" });
    await host.untilType("message_update");
    host.program.signal(signal);
    await host.untilType("agent_end");
    assert.equal((await host.program.exit).code, code);
  }
});

Deno.test("the end of the input while a tool of the host and a question wait ends both, and the program", async () => {
  const chart = { stream: { text: toolCallStream("render_chart", {}) } };
  const read = { stream: { text: toolCallStream("read", { path: "db://users/42" }) } };
  const ask = { stream: { text: toolCallStream("ask", { question: "Which?", options: ["a"] }) } };
  for (
    const [play, waits, expected] of [
      [chart, "host_tool_call", /RPC client disconnected before host tool execution completed/],
      [read, "host_uri_request", /RPC client disconnected before host URI request completed/],
      [ask, "select", /The user gave no answer|Cancelled/],
    ] as const
  ) {
    await using server = startModelServer([play, { ...TEXT, stallAt: 300 }]);
    await using host = await ompHostOn(server.baseUrl);
    const tool = { name: "render_chart", description: "Draws", parameters: {} };
    await host.send({ type: "set_host_tools", tools: [tool] });
    await host.send({ type: "set_host_uri_schemes", schemes: [{ scheme: "db" }] });
    await host.send({ type: "prompt", message: "Go." });
    await host.until(({ type, method }) => type === waits || method === waits);
    await host.program.endInput();
    const end = await host.untilType("tool_execution_end");
    assert.match(JSON.stringify(end), expected);
    await host.untilType("agent_end");
    assert.equal((await host.program.exit).code, 0);
  }
});

Deno.test("report 24 (earendil-works/pi#6713): a key that is missing is told when the program starts, by the name of its variable", async () => {
  await using host = new OmpHost({ args: ["-d", await shop("sqlite"), "--model", "openai:m"] });
  assert.equal(await host.next(), undefined);
  assert.match(await host.program.errors(), /OPENAI_API_KEY/);
  assert.equal((await host.program.exit).code, 1);
});

Deno.test("report 30 (can1357/oh-my-pi#11555), report 31 (earendil-works/pi#9393): what one process sets is the next one's default only where the host says so", async () => {
  const data = await Deno.makeTempDir();
  const env = { PI_CODING_AGENT_DIR: data, XDG_CONFIG_HOME: data, XDG_DATA_HOME: data };
  await using server = startModelServer(() => TEXT);
  const stateAfter = async (persist: boolean) => {
    {
      await using host = await ompHostOn(server.baseUrl, { env, args: [] });
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

Deno.test("report 7 (earendil-works/pi#8735): commands that came before ready are kept, and answered", async () => {
  await using server = startModelServer(() => TEXT);
  await using host = await ompHostOn(server.baseUrl);
  await host.send({ id: "1", type: "get_state" });
  await host.send({ id: "2", type: "prompt", message: "How many?" });
  assert.equal((await host.next())?.type, "ready");
  await host.answer("1");
  await host.answer("2");
  assert.deepEqual(userTexts(await host.untilType("agent_end")), ["How many?"]);
});

Deno.test("report 20 (can1357/oh-my-pi#10587): ready and the state wait for no database and no model server", async () => {
  using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 }); // takes connections, and says nothing
  const address = `127.0.0.1:${silent.addr.port}`;
  await using host = new OmpHost({
    args: ["-d", `postgres://nobody@${address}/none`, "--model", "openai:m", "--no-session"],
    env: { OPENAI_BASE_URL: `http://${address}/v1`, OPENAI_API_KEY: "key" },
  });
  assert.equal((await host.next())?.type, "ready");
  await host.send({ id: "s", type: "get_state" });
  assert.equal((await host.answer("s")).success, true);
  const connected = silent.accept().then((connection) => connection.close(), () => {});
  const early = await Promise.race([connected, host.send({ type: "abort" }).then(() => "nobody connected")]);
  assert.equal(early, "nobody connected");
  await host.program.endInput();
  assert.equal((await host.program.exit).code, 0);
});

Deno.test("report 25 (steipete/CodexBar#2909): a host that says TERM and kills later leaves nothing behind", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/session.jsonl`;
  await using server = startModelServer([TEXT, { ...TEXT, stallAt: 900 }]);
  await using host = await ompHostOn(server.baseUrl, { args: ["--session", path] });
  await host.send({ type: "prompt", message: "First?" });
  await host.untilType("agent_end");
  const mark = `32${String(Date.now()).slice(-6)}`;
  await host.send({ type: "bash", command: `echo $$; (sleep ${mark} & sleep ${mark}) & sleep ${mark}` });
  await host.send({ type: "prompt", message: "Second?" });
  await host.untilType("message_update");
  assert.ok(await settles(() => isAlive(`sleep ${mark}`)));
  void host.program.endInput();
  host.program.signal("SIGTERM");
  const killed = setTimeout(() => host.program.signal("SIGKILL"), KILL_MS);
  await host.program.exit;
  clearTimeout(killed);
  assert.ok(await settles(async () => !await isAlive(`sleep ${mark}`)), "a shell is left");
  const kept = (await Deno.readTextFile(path)).trimEnd().split("\n").map((line) => JSON.parse(line));
  const said = kept.flatMap(({ message }) => message === undefined ? [] : [message.role]);
  assert.deepEqual(said.slice(0, 4), ["user", "assistant", "user", "assistant"]);
});
