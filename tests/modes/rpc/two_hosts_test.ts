/** Two hosts go on with one thread at the same time: no turn is lost, and each host knows where its own turns are. */
import assert from "node:assert/strict";
import { startModelServer } from "../../support/model_server.ts";
import { RpcHost } from "../../support/rpc_host.ts";
import { shop } from "../../support/shop.ts";

const ROUNDS = 5;

Deno.test("two hosts that resume one thread lose no turn", async () => {
  const data = await Deno.makeTempDir();
  await using server = startModelServer(() => ({ stream: "openai/text.sse" }));
  const database = await shop("sqlite");
  const open = (thread: string | undefined) =>
    new RpcHost({
      args: ["-d", database, "--model", "openai:m", ...thread === undefined ? [] : ["--thread", thread]],
      env: { XDG_DATA_HOME: data, OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
    });
  const ask = async (host: RpcHost, message: string) => {
    await host.send({ type: "prompt", message });
    const end = await host.until((line) => line.type === "agent_end");
    assert.ok(end.type === "agent_end" && end.status === "completed");
    return end.threadId ?? assert.fail("the turn was not saved");
  };
  const askedIn = async (thread: string) => {
    await using host = open(thread);
    await host.send({ type: "get_messages" });
    const answer = await host.answerTo("get_messages");
    assert.ok(answer.success && answer.command === "get_messages");
    return answer.data.messages.flatMap((message) => message.role === "user" ? message.content : []);
  };

  let thread = "";
  {
    await using host = open(undefined);
    thread = await ask(host, "first");
  }
  await using a = open(thread);
  await using b = open(thread);
  const hosts = { a, b };
  for (const host of [a, b]) await host.until((line) => line.type === "ready");
  const sessions = Object.entries(hosts).map(async ([name, host]) => {
    const ids = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) ids.add(await ask(host, `${name} ${round}`));
    await host.send({ type: "get_state" });
    const state = await host.answerTo("get_state");
    assert.partialDeepStrictEqual(state, {
      data: { threadId: [...ids].at(-1), messageCount: 2 + 2 * ROUNDS },
    });
    await host.send({ type: "shutdown" });
    await host.end();
    const errors = await host.program.errors();
    return { name, last: [...ids].at(-1) ?? "", isForked: [...ids].at(-1) !== thread, errors };
  });
  const ends = await Promise.all(sessions);
  for (const { name, last, isForked, errors } of ends) {
    const own = Array.from({ length: ROUNDS }, (_, round) => `${name} ${round}`);
    // A host that went on alone for a while may leave its first turns in the shared thread; none is missing in its own.
    assert.deepEqual(await askedIn(last), ["first", ...own]);
    assert.equal(/another process went on with thread/.test(errors), isForked);
  }
  assert.ok(ends.some(({ isForked }) => isForked), "both hosts cannot be right about one thread");
  await Deno.remove(data, { recursive: true });
});
