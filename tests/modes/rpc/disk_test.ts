/** A disk that does not take what is to be kept: the agent reads why, nothing is left, and the session goes on. */
import assert from "node:assert/strict";
import { openSaberDb } from "../../../src/store/saber_db.ts";
import { ThreadStore } from "../../../src/store/threads.ts";
import { type ModelServer, startModelServer } from "../../support/model_server.ts";
import { saberCommand } from "../../support/program.ts";
import { RpcHost } from "../../support/rpc_host.ts";
import { shop } from "../../support/shop.ts";
import { processesOf } from "../../support/sqlite_processes.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

const SMALL = "SELECT id FROM customers LIMIT 3";
const LARGE = "WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 200000) " +
  "SELECT n, 'a text that makes a row long enough' AS t FROM c LIMIT 200000";

function modelThatRuns(...statements: readonly string[]): ModelServer {
  return startModelServer(statements.flatMap((query) => [
    { stream: { text: toolCallStream("execute_sql", { query }) } },
    { stream: "openai/text.sse" },
  ]));
}

/** Asks once; what the tool answered, and the end of the run. */
async function ask(host: RpcHost) {
  await host.send({ type: "prompt", message: "Go on." });
  const tool = await host.until((line) => line.type === "tool_execution_end");
  const end = await host.until((line) => line.type === "agent_end");
  assert.ok(tool.type === "tool_execution_end" && end.type === "agent_end");
  assert.equal(end.status, "completed");
  return { tool, end };
}

async function names(folder: string): Promise<string[]> {
  return await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
}

Deno.test({
  name: "a result that the disk does not take is refused with the reason, and leaves nothing behind",
  ignore: Deno.build.os === "windows", // it has no limit on the size of a file
  fn: async () => {
    const data = await Deno.makeTempDir();
    await using server = modelThatRuns(LARGE, SMALL);
    // A file may have two megabytes here; a write beyond that fails as one to a full disk does.
    const limited = ['trap "" XFSZ; ulimit -f 4096; exec "$@"', "sh", ...saberCommand()];
    const database = `${data}/copy.sqlite`;
    await Deno.copyFile(await shop("sqlite"), database);
    await using host = new RpcHost({
      command: ["sh", "-c", ...limited],
      args: ["-d", database, "--model", "openai:m"],
      env: { XDG_DATA_HOME: data, OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
    });
    const { tool: refused } = await ask(host);
    assert.match(refused.result, /Cannot keep the result: the file would be too large/);
    assert.equal(refused.isError, true);
    const left = await names(`${data}/sqlsaber/results`);
    assert.deepEqual(left.filter((name) => /qr_/.test(name)), []);
    assert.ok((await processesOf(database)).every(({ isRunning }) => !isRunning), "the statement runs on");
    const { tool: kept } = await ask(host);
    assert.equal(kept.queryResult?.rowCount, 3);
    await host.send({ type: "shutdown" });
    assert.equal(await host.end(), 0);
    await Deno.remove(data, { recursive: true });
  },
});

Deno.test("a data folder that cannot be made is told of, and used as soon as it can", async () => {
  const folder = await Deno.makeTempDir();
  const data = `${folder}/data`;
  await Deno.writeTextFile(data, "a file where a folder should be");
  await using server = modelThatRuns(SMALL, SMALL);
  await using host = new RpcHost({
    args: ["-d", await shop("sqlite"), "--model", "openai:m"],
    env: { XDG_DATA_HOME: data, OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
  });
  const { tool: refused, end: unsaved } = await ask(host);
  assert.match(refused.result, /Cannot keep results: their folder cannot be made/);
  assert.ok(unsaved.status === "completed" && unsaved.threadId === null);
  await Deno.remove(data);
  const { tool: kept, end: saved } = await ask(host);
  assert.equal(kept.queryResult?.rowCount, 3);
  assert.ok(saved.status === "completed" && saved.threadId !== null);
  await host.send({ type: "get_messages" });
  assert.partialDeepStrictEqual(await host.answerTo("get_messages"), { success: true });
  await host.send({ type: "shutdown" });
  assert.equal(await host.end(), 0);
  assert.match(await host.program.errors(), /could not be saved\. Cannot open the program's own database/);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a thread that is damaged keeps the session from starting, and says so", async () => {
  const data = await Deno.makeTempDir();
  const db = await openSaberDb(`${data}/sqlsaber`);
  const about = { databases: ["shop"], selectors: null, model: "openai:m" };
  const turn = [{ role: "user", content: "Hello.", timestamp: 1 }] as const;
  const { place } = await new ThreadStore(db).commit(null, { before: [], turn, about });
  db.exec(`UPDATE turns SET messages = '[{"role":"user"}]'`);
  db.close();
  await using host = new RpcHost({
    args: ["-d", await shop("sqlite"), "--model", "openai:m", "--thread", place.id],
    env: { XDG_DATA_HOME: data, OPENAI_API_KEY: "key" },
  });
  assert.partialDeepStrictEqual(await host.next(), {
    command: "startup",
    error: `Cannot read thread "${place.id}": what is stored of it is damaged. Nothing was changed; ` +
      "begin a new conversation.",
  });
  assert.equal(await host.end(), 1);
  await Deno.remove(data, { recursive: true });
});
