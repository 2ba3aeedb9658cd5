import assert from "node:assert/strict";
import { makeTempFolder } from "../../src/store/temp_folder.ts";
import { startModelServer } from "../support/model_server.ts";
import { RpcHost } from "../support/rpc_host.ts";
import { shop } from "../support/shop.ts";
import { toolCallStream } from "../support/tool_call_stream.ts";

const OLD = new Date(Date.now() - 3600 * 1000);
const PREFIX = "saber-results-";

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

Deno.test("a new folder sweeps those whose process has ended, and no other", async () => {
  const living = await makeTempFolder();
  const abandoned = await Deno.makeTempDir({ prefix: PREFIX });
  await Deno.writeTextFile(`${abandoned}/lock`, "");
  await Deno.mkdir(`${abandoned}/qr_1`);
  const unlocked = await Deno.makeTempDir({ prefix: PREFIX });
  const young = await Deno.makeTempDir({ prefix: PREFIX });
  for (const path of [living.path, abandoned, unlocked]) await Deno.utime(path, OLD, OLD);
  const next = await makeTempFolder();
  const left = await Promise.all([living.path, abandoned, unlocked, young, next.path].map(isThere));
  assert.deepEqual(left, [true, false, false, true, true]);
  await Promise.all([living.close(), next.close(), Deno.remove(young)]);
  assert.equal(await isThere(next.path), false);
});

/** The folders of temporary results in the folder. */
async function foldersIn(parent: string): Promise<string[]> {
  const names = await Array.fromAsync(Deno.readDir(parent), ({ name }) => name);
  return names.filter((name) => name.startsWith(PREFIX));
}

Deno.test("a folder that somebody removed is told of, and the session ends in good order", async () => {
  const temp = await Deno.makeTempDir();
  const play = {
    stream: { text: toolCallStream("execute_sql", { query: "SELECT id FROM customers LIMIT 2" }) },
  };
  await using server = startModelServer((n) => n % 2 === 0 ? play : { stream: "openai/text.sse" });
  await using host = new RpcHost({
    args: ["-d", await shop("sqlite"), "--no-thread", "--model", "openai:m"],
    env: { TMPDIR: temp, TEMP: temp, OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
  });
  const ask = async () => {
    await host.send({ type: "prompt", message: "Two?" });
    const tool = await host.until((line) => line.type === "tool_execution_end");
    assert.partialDeepStrictEqual(await host.until((line) => line.type === "agent_end"), {
      status: "completed",
    });
    return tool.type === "tool_execution_end" ? tool : assert.fail();
  };
  const { queryResult } = await ask();
  for (const name of await foldersIn(temp)) await Deno.remove(`${temp}/${name}`, { recursive: true });
  await host.send({ type: "get_query_result", resultId: queryResult?.id });
  assert.partialDeepStrictEqual(await host.answerTo("get_query_result"), { success: false });
  assert.match((await ask()).result, /Cannot keep the result: its folder is gone\. Start saber again\./);
  await host.send({ type: "shutdown" });
  assert.equal(await host.end(), 0);
  assert.equal(await host.program.errors(), "");
  await Deno.remove(temp, { recursive: true });
});

Deno.test("without a thread results are gone with the process, or after a kill with the next one", async () => {
  const temp = await Deno.makeTempDir();
  const sql = "SELECT id FROM customers LIMIT 2";
  await using server = startModelServer((n) =>
    n % 2 === 0
      ? { stream: { text: toolCallStream("execute_sql", { query: sql }) } }
      : { stream: "openai/text.sse" }
  );
  const keepResult = async () => {
    const host = new RpcHost({
      args: ["-d", await shop("sqlite"), "--no-thread", "--model", "openai:m"],
      env: { TMPDIR: temp, TEMP: temp, OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
    });
    await host.send({ type: "prompt", message: "Two?" });
    await host.until((line) => line.type === "agent_end");
    return host;
  };
  {
    await using killed = await keepResult();
    killed.program.signal("SIGKILL");
  }
  const [left = ""] = await foldersIn(temp);
  assert.notEqual(left, "");
  await Deno.utime(`${temp}/${left}`, OLD, OLD);
  {
    await using next = await keepResult();
    const folders = await foldersIn(temp);
    assert.ok(folders.length === 1 && folders[0] !== left, folders.join());
    await next.send({ type: "shutdown" });
    assert.equal(await next.end(), 0);
  }
  assert.deepEqual(await foldersIn(temp), []);
  await Deno.remove(temp, { recursive: true });
});
