/** Another session in the place of one in which a run goes on: the run ends first, and writes nothing elsewhere. */
import assert from "node:assert/strict";
import { type Play, startModelServer } from "../../support/model_server.ts";
import { type Frame, ompHostOn } from "../../support/omp_host.ts";

const TEXT = { stream: "openai/text.sse" };
const tool = { name: "render_chart", description: "Draws", parameters: {} };

type Messages = { readonly messages: readonly { readonly role: string; readonly stopReason?: string }[] };

function rolesIn(text: string): string[] {
  return text.trimEnd().split("\n").map((line) => JSON.parse(line)).flatMap(({ message }) =>
    message === undefined ? [] : [`${message.role} ${message.stopReason ?? ""}`.trim()]
  );
}

for (const type of ["new_session", "switch_session", "branch", "clone", "compact", "abort_and_prompt"]) {
  Deno.test(`${type} in mid-run: agent_end comes before the answer, and the old run writes nothing after it`, async () => {
    const folder = await Deno.makeTempDir();
    const slow: Play = { ...TEXT, stallAt: 900 };
    await using server = startModelServer([TEXT, slow, TEXT, TEXT]);
    await using host = await ompHostOn(server.baseUrl, { args: ["--session-dir", folder] });
    await host.send({ id: "h", type: "set_host_tools", tools: [tool] });
    await host.send({ id: "m", type: "set_steering_mode", mode: "all" });
    await host.send({ id: "t", type: "set_todos", phases: [{ name: "Look", tasks: [] }] });
    await host.send({ type: "prompt", message: "First?" });
    await host.untilType("agent_end");
    await host.send({ id: "f", type: "get_branch_messages" });
    const { data } = await host.answer("f") as Frame & { data: { messages: { entryId: string }[] } };
    await host.send({ id: "s", type: "get_state" });
    const old = (await host.answer("s")).data as { sessionFile: string };
    const other = `${folder}/other.jsonl`;
    await Deno.copyFile(old.sessionFile, other);
    await host.send({ type: "prompt", message: "Second?" });
    await host.untilType("message_update");
    await host.send({ type: "follow_up", message: "Third?" });
    const about = { entryId: data.messages[0]?.entryId, sessionPath: other, message: "Instead?" };
    await host.send({ id: "x", type, ...about });
    assert.equal((await host.answer("x")).success, true);
    const since = host.frames.findLastIndex((frame) =>
      frame.type === "agent_start" && frame.id === undefined
    );
    assert.equal(host.frames.slice(since).filter((frame) => frame.type === "agent_end").length, 1);
    const aborted = ["user", "assistant stop", "user", "assistant aborted"];
    assert.deepEqual(rolesIn(await Deno.readTextFile(old.sessionFile)).slice(0, 4), aborted);
    if (type === "abort_and_prompt") return await abortedAndPrompted(host);
    await host.send({ id: "g", type: "get_messages" });
    const { messages } = (await host.answer("g")).data as Messages;
    const isEmpty = type === "new_session" || type === "branch";
    const expected = { switch_session: 2, clone: 4, compact: messages.length }[type] ?? 0;
    assert.equal(messages.length, isEmpty ? 0 : expected);
    await host.send({ id: "s2", type: "get_state" });
    const state = (await host.answer("s2")).data as { [key: string]: unknown };
    assert.partialDeepStrictEqual(state, { isStreaming: false, steeringMode: "all" });
    assert.equal(state.queuedMessageCount, type === "compact" ? 1 : 0);
    assert.match(JSON.stringify(state.dumpTools), /render_chart/);
    if (type === "new_session") assert.deepEqual(state.todoPhases, []);
  });
}

/** The run that comes instead has its own end, and what waited is said in it. */
async function abortedAndPrompted(host: Awaited<ReturnType<typeof ompHostOn>>): Promise<void> {
  await host.untilType("agent_end");
  const answers = host.frames.filter(({ type, id }) => type === "response" && id === "x");
  assert.equal(answers.length, 1);
  await host.send({ id: "g", type: "get_branch_messages" });
  const { messages } = (await host.answer("g")).data as { messages: { text: string }[] };
  assert.deepEqual(messages.map(({ text }) => text), ["First?", "Second?", "Instead?", "Third?"]);
}
