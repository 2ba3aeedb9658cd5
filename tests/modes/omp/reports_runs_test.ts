/**
 * What users of such protocols suffered from elsewhere, one test each: commands that wait for each other, runs without an
 * end, answers that are lost. docs/omp.md lists all of them.
 */
import assert from "node:assert/strict";
import { startModelServer } from "../../support/model_server.ts";
import { type Frame, OmpHost, ompHostOn, userTexts } from "../../support/omp_host.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { Program } from "../../support/program.ts";
import { shop } from "../../support/shop.ts";

const TEXT = { stream: "openai/text.sse" };

Deno.test("report 14 (earendil-works/pi#6581): a server that takes a request and never answers fails the answer, visibly, and is asked again", async () => {
  const home = await Deno.makeTempDir();
  const folder = `${home}/sqlsaber`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/config.jsonc`, '{"providers":{"openai":{"silenceSeconds":1}}}');
  await using server = startModelServer([{ ...TEXT, stallAt: 0 }, { ...TEXT, stallAt: 600 }, TEXT]);
  await using host = await ompHostOn(server.baseUrl, { env: { XDG_CONFIG_HOME: home } });
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

Deno.test("report 16 (earendil-works/pi#7150): a prompt that comes during a compaction is kept, and runs when that is over", async () => {
  await using server = startModelServer([TEXT, { ...TEXT, paceMs: 60 }, TEXT]);
  await using host = await ompHostOn(server.baseUrl);
  await host.send({ type: "prompt", message: "First?" });
  await host.untilType("agent_end");
  await host.send({ id: "c", type: "compact" });
  await host.send({ id: "p", type: "prompt", message: "Second?" });
  assert.equal((await host.answer("p")).success, true);
  assert.equal((await host.answer("c")).success, true);
  assert.deepEqual(userTexts(await host.untilType("agent_end")), ["Second?"]);
});

Deno.test("report 17 (can1357/oh-my-pi#6552): a tool of the host is the model's from its next request on", async () => {
  await using server = startModelServer(() => TEXT);
  await using host = await ompHostOn(server.baseUrl);
  const tool = { name: "render_chart", description: "Draws", parameters: {} };
  await host.send({ type: "set_host_tools", tools: [tool] });
  await host.send({ type: "prompt", message: "Go." });
  await host.untilType("agent_end");
  assert.match(JSON.stringify(server.asked[0]?.body), /"name":"render_chart"/);
});

Deno.test("report 22 (can1357/oh-my-pi#10904): the model has the tools of saber rpc, and those of this mode besides", async () => {
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
  while (!/"agent_end"/.test(await rpc.line(PATIENCE_MS) ?? assert.fail(await rpc.errors())));
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

Deno.test("report 26 (mikeyobrien/pi-tidy-tools#81): a failed compaction by the model leaves a summary and no flag behind", async () => {
  await using server = startModelServer([TEXT, { status: 500, body: "{}" }]);
  await using host = await ompHostOn(server.baseUrl);
  await host.send({ type: "prompt", message: "First?" });
  await host.untilType("agent_end");
  await host.send({ id: "c", type: "compact" });
  const compacted = await host.answer("c");
  assert.match(JSON.stringify(compacted.data), /What the user asked:\\n- First\?/);
  await host.send({ id: "s", type: "get_state" });
  assert.equal((await host.answer("s") as { data?: { isCompacting?: boolean } }).data?.isCompacting, false);
});

Deno.test("report 5 (can1357/oh-my-pi#5153): the answer to a question overtakes the command that waits for it", async () => {
  const database = `${await Deno.makeTempDir()}/copy.sqlite`;
  await Deno.copyFile(await shop("sqlite"), database);
  await using host = new OmpHost({
    args: ["-d", database, "--model", "ollama:m", "--no-session", "--allow-dangerous"],
  });
  const sql = "UPDATE customers SET name = name WHERE id = 1";
  await host.send({ id: "p", type: "prompt", message: `/sql ${sql}` });
  const asked = await host.until(({ method }) => method === "confirm");
  await host.send({ id: "l", type: "login", providerId: "openai" }); // its question waits behind the other one
  await host.send({ id: "s", type: "get_state" });
  await host.answer("s");
  await host.send({ type: "extension_ui_response", id: asked.id, confirmed: true });
  const { id } = await host.until(({ method }) => method === "input");
  await host.send({ type: "extension_ui_response", id, cancelled: true });
  assert.equal((await host.answer("l")).success, false);
  if (!host.frames.some(({ type }) => type === "prompt_result")) await host.untilType("prompt_result");
  const ends = host.frames.filter(({ type }) => type === "command_output" || type === "prompt_result");
  assert.partialDeepStrictEqual(ends, [{ text: '{"success":true,"affected_rows":1}' }, { id: "p" }]);
});

Deno.test("report 6 (can1357/oh-my-pi#4027): abort_bash overtakes the shells, and is answered before them", async () => {
  await using host = new OmpHost({
    args: ["-d", await shop("sqlite"), "--model", "ollama:m", "--no-session"],
  });
  for (const id of ["1", "2"]) await host.send({ id, type: "bash", command: "sleep 600 & sleep 600" });
  await host.send({ id: "a", type: "abort_bash" });
  await host.answer("a");
  const ends = [await host.next(), await host.next()];
  for (const end of ends) {
    assert.partialDeepStrictEqual(end, { command: "bash", success: true, data: { cancelled: true } });
  }
});

Deno.test("report 12 (earendil-works/pi#3049): a prompt that cannot be taken has one answer, and so has each other one", async () => {
  await using server = startModelServer([{ ...TEXT, paceMs: 20 }, { status: 400, body: "{}" }]);
  await using host = await ompHostOn(server.baseUrl);
  await host.send({ id: "1", type: "prompt", message: "How many?" });
  await host.untilType("message_update");
  await host.send({ id: "2", type: "prompt", message: "And now?" });
  await host.untilType("agent_end");
  await host.send({ id: "3", type: "prompt", message: "What fails later?" });
  await host.untilType("agent_end");
  await host.send({ id: "4", type: "get_state" });
  await host.answer("4");
  const answers = host.frames.filter(({ type, id }) => type === "response" && id !== "4");
  assert.deepEqual(answers.map(({ id, success }) => [id, success]), [["1", true], ["2", false], ["3", true]]);
});

Deno.test("report 13 (earendil-works/pi#5868): an unknown command is named, keeps its id on request, and pi's own are known", async () => {
  const args = ["-d", await shop("sqlite"), "--model", "ollama:m", "--no-session"];
  for (const extras of [[], ["--rpc-extras"]]) {
    await using host = new OmpHost({ args: [...args, ...extras] });
    await host.send({ id: "x", type: "invented" });
    const refused = await host.untilType("response");
    assert.partialDeepStrictEqual(refused, { command: "invented", error: "Unknown command: invented" });
    assert.equal(refused.id, extras.length === 0 ? undefined : "x");
    const pis = [
      "get_commands",
      "get_fork_messages",
      "get_entries",
      "get_tree",
      "get_available_thinking_levels",
    ];
    for (const type of pis) {
      await host.send({ id: type, type });
      assert.equal((await host.answer(type)).success, true, type);
    }
  }
});

Deno.test("report 15 (earendil-works/pi#8920): commands are answered during a compaction, and an abort reaches it", async () => {
  await using server = startModelServer([TEXT, { ...TEXT, stallAt: 300 }, { ...TEXT, stallAt: 300 }, TEXT]);
  await using host = await ompHostOn(server.baseUrl);
  await host.send({ type: "prompt", message: "First?" });
  await host.untilType("agent_end");
  for (const type of ["compact", "handoff"]) {
    await host.send({ id: type, type });
    await server.arrival(type === "compact" ? 1 : 2);
    await host.send({ id: "m", type: "get_messages" });
    await host.answer("m");
    await host.send({ id: "a", type: "abort" });
    assert.partialDeepStrictEqual(await host.untilType("response"), { id: type, success: false });
    assert.partialDeepStrictEqual(await host.untilType("response"), { id: "a", success: true });
  }
  await host.send({ type: "prompt", message: "Second?" });
  assert.deepEqual(userTexts(await host.untilType("agent_end")), ["Second?"]);
});

Deno.test("report 21 (PrimeIntellect-ai/prime-agent#1206): a prompt in the same moment as agent_end is taken", async () => {
  await using server = startModelServer(() => TEXT);
  await using host = await ompHostOn(server.baseUrl);
  await host.send({ type: "prompt", message: "How many?" });
  for (let n = 0; n < 20; n++) {
    await host.untilType("agent_end");
    await host.send({ id: `s${n}`, type: "get_state" });
    await host.send({ id: `p${n}`, type: "prompt", message: "And now?" });
    assert.partialDeepStrictEqual(await host.answer(`s${n}`), { data: { isStreaming: false } });
    assert.equal((await host.answer(`p${n}`)).success, true);
  }
  await host.untilType("agent_end");
  const count = (wanted: string) => host.frames.filter(({ type }) => type === wanted).length;
  assert.equal(count("agent_end"), count("agent_start"));
});

const EMPTY = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

Deno.test("report 23 (svkozak/pi-acp#98): what fails is said in the message and in a notice; no empty answer is a success", async () => {
  for (const play of [{ status: 401, body: "{}" }, { stream: { text: EMPTY } }]) {
    await using server = startModelServer(() => play);
    await using host = await ompHostOn(server.baseUrl);
    await host.send({ type: "set_auto_retry", enabled: false });
    await host.send({ type: "prompt", message: "How many?" });
    const end = await host.untilType("agent_end") as Frame & { messages?: Frame[] };
    const last = end.messages?.at(-1);
    assert.equal(last?.stopReason, "error");
    const notice = host.frames.find(({ type }) => type === "notice");
    assert.ok(typeof last.errorMessage === "string" && last.errorMessage !== "");
    assert.partialDeepStrictEqual(notice, { level: "error", message: last.errorMessage });
  }
});

Deno.test("report 27 (ayuayue/PiDeck#50): each command of a prompt says that it has ended", async () => {
  await using server = startModelServer(() => TEXT);
  await using host = await ompHostOn(server.baseUrl);
  await host.send({ id: "c", type: "get_available_commands" });
  const { data } = await host.answer("c") as Frame & { data?: { commands: { name: string }[] } };
  const names = data?.commands.map(({ name }) => name) ?? [];
  assert.ok(names.length > 15, String(names));
  for (const name of names.filter((name) => name !== "export")) { // that one would write into the folder of the tests
    await host.send({ id: name, type: "prompt", message: `/${name}` });
    const answer = await host.answer(name);
    if (!answer.success || answer.data !== undefined) {
      if (answer.success) assert.deepEqual(answer.data, { agentInvoked: false });
      continue;
    }
    const end = await host.untilType("prompt_result");
    assert.deepEqual(end, { type: "prompt_result", id: name, agentInvoked: false });
  }
  assert.equal(host.frames.some(({ type }) => type === "agent_start"), false);
});
