import assert from "node:assert/strict";
import { readPythonThread } from "../../src/store/python_threads.ts";
import { writePythonThreads } from "../support/python_threads.ts";

async function withFile(test: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/threads.db`;
  writePythonThreads(path);
  try {
    await test(path);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a thread of the Python program becomes messages of ours", async () => {
  await withFile(async (path) => {
    const thread = await readPythonThread(path, "saved");
    assert.deepEqual(thread?.selectors, ["shop", "other"]);
    assert.deepEqual(thread?.messages.map(({ role }) => role), [
      "user",
      "assistant",
      "toolResult",
      "toolResult",
      "assistant",
    ]);
    const [user, assistant, result, retry] = thread?.messages ?? [];
    assert.deepEqual(user, { role: "user", content: "How many?", timestamp: Date.UTC(2026, 0, 2, 3, 4, 5) });
    assert.ok(assistant?.role === "assistant");
    assert.deepEqual(assistant.usage, { inputTokens: 5, outputTokens: 7 });
    assert.deepEqual(assistant.content[2], {
      type: "toolCall",
      id: "c2",
      name: "list_tables",
      argumentsText: '{"a":1}',
    });
    assert.ok(result?.role === "toolResult" && retry?.role === "toolResult");
    assert.equal(result.content, '{"success":true}');
    assert.equal(retry.isError, true);
  });
});

Deno.test("what cannot be resumed by name says so, unknown ids and missing files are nothing, broken ones an error", async () => {
  await withFile(async (path) => {
    assert.equal((await readPythonThread(path, "adhoc"))?.selectors, null);
    assert.equal(await readPythonThread(path, "none"), undefined);
    assert.equal(await readPythonThread(`${path}.none`, "saved"), undefined);
    await assert.rejects(readPythonThread(path, "broken"));
  });
});

Deno.test("the Python program's file stays as it is, to the byte", async () => {
  await withFile(async (path) => {
    const before = await Deno.readFile(path);
    await readPythonThread(path, "saved");
    assert.deepEqual(await Deno.readFile(path), before);
    const folder = path.slice(0, path.lastIndexOf("/"));
    assert.deepEqual((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name), ["threads.db"]);
  });
});
