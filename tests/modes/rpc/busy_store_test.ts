/** Another process holds the write lock of the program's own database: the session answers, and no turn is lost. */
import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import { openSaberDb } from "../../../src/store/saber_db.ts";
import { type ThreadInfo, ThreadStore } from "../../../src/store/threads.ts";
import { startModelServer } from "../../support/model_server.ts";
import { type HostLine, RpcHost } from "../../support/rpc_host.ts";
import { shop } from "../../support/shop.ts";

const isEnd = (line: HostLine) => line.type === "agent_end";

interface Busy {
  readonly host: RpcHost;
  /** Of the other process. */
  readonly other: DatabaseSync;
  threads(): readonly ThreadInfo[];
}

async function withBusyStore(test: (busy: Busy) => Promise<void>): Promise<void> {
  const data = await Deno.makeTempDir();
  await using server = startModelServer(() => ({ stream: "openai/text.sse" }));
  const other = await openSaberDb(`${data}/sqlsaber`);
  {
    await using host = new RpcHost({
      args: ["-d", await shop("sqlite"), "--model", "openai:m"],
      env: { XDG_DATA_HOME: data, OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
    });
    await test({ host, other, threads: () => new ThreadStore(other).list(10) });
    await host.send({ type: "shutdown" });
    assert.equal(await host.end(), 0);
  }
  other.close();
  await Deno.remove(data, { recursive: true });
}

async function ask(host: RpcHost) {
  await host.send({ type: "prompt", message: "How many?" });
  const end = await host.until(isEnd);
  assert.ok(end.type === "agent_end" && end.status === "completed");
  return end.threadId;
}

/** Asks while the other process writes, until the turn waits to be saved, and sees that the session answers. */
async function askHeld({ host, other }: Busy): Promise<void> {
  other.exec("BEGIN IMMEDIATE");
  const from = host.lines.length;
  await host.send({ type: "prompt", message: "How many?" });
  await host.until((line) => line.type === "message_end");
  await host.send({ type: "get_state" });
  assert.partialDeepStrictEqual(await host.answerTo("get_state"), { data: { state: "running" } });
  assert.equal(host.lines.slice(from).some(isEnd), false);
}

Deno.test("a turn waits to be saved until another process has written, and the state is told meanwhile", async () => {
  await withBusyStore(async (busy) => {
    await askHeld(busy);
    busy.other.exec("COMMIT");
    const end = await busy.host.until(isEnd);
    assert.partialDeepStrictEqual(end, { status: "completed", threadId: busy.threads()[0]?.id });
    assert.equal(busy.threads()[0]?.turns, 1);
  });
});

Deno.test("an abort ends a run whose turn waits to be saved, and nothing of it is left", async () => {
  await withBusyStore(async (busy) => {
    const { host, other, threads } = busy;
    const thread = await ask(host);
    await askHeld(busy);
    await host.send({ type: "abort" });
    assert.partialDeepStrictEqual(await host.answerTo("abort"), { data: { aborted: true } });
    assert.deepEqual(host.lines.filter(isEnd).slice(1), [{ type: "agent_end", status: "aborted" }]);
    await host.send({ type: "get_state" });
    assert.partialDeepStrictEqual(await host.answerTo("get_state"), {
      data: { state: "idle", messageCount: 2, threadId: thread },
    });
    other.exec("COMMIT");
    assert.equal(await ask(host), thread);
    assert.equal(threads()[0]?.turns, 2);
  });
});

Deno.test("a turn that could not be saved is told of on stderr and saved with the next one", async () => {
  await withBusyStore(async (busy) => {
    const { host, other, threads } = busy;
    const thread = await ask(host);
    await askHeld(busy);
    const end = await host.until(isEnd); // the other process goes on for too long
    assert.partialDeepStrictEqual(end, { status: "completed", threadId: thread });
    other.exec("COMMIT");
    assert.equal(await ask(host), thread);
    assert.equal(threads().length, 1);
    assert.equal(new ThreadStore(other).messages(thread ?? "").length, 6);
    await host.send({ type: "shutdown" });
    await host.end();
    assert.match(await host.program.errors(), /could not be saved\. .*another program holds it/);
  });
});
