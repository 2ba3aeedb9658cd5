import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { readPythonThread } from "../../src/store/python_threads.ts";

/** A thread as the Python program writes it: one question, one tool call, one answer. */
const MESSAGES = [
  {
    kind: "request",
    parts: [
      { part_kind: "system-prompt", content: "You are …", timestamp: "2026-01-02T03:04:05Z" },
      { part_kind: "user-prompt", content: "How many?", timestamp: "2026-01-02T03:04:05Z" },
    ],
  },
  {
    kind: "response",
    parts: [
      { part_kind: "thinking", content: "hm", signature: "x" },
      { part_kind: "text", content: "Let me look." },
      { part_kind: "tool-call", tool_name: "execute_sql", args: '{"query":"SELECT 1"}', tool_call_id: "c1" },
      { part_kind: "tool-call", tool_name: "list_tables", args: { a: 1 }, tool_call_id: "c2" },
    ],
    model_name: "claude",
    timestamp: "2026-01-02T03:04:06Z",
    usage: { input_tokens: 5, output_tokens: 7, details: {} },
  },
  {
    kind: "request",
    parts: [
      { part_kind: "tool-return", tool_name: "execute_sql", content: { success: true }, tool_call_id: "c1" },
      {
        part_kind: "retry-prompt",
        tool_name: "list_tables",
        content: "no such argument",
        tool_call_id: "c2",
      },
    ],
  },
  { kind: "response", parts: [{ part_kind: "text", content: "One." }], model_name: "claude", usage: null },
];

async function withFile(test: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/threads.db`;
  const db = new DatabaseSync(path);
  db.exec(
    `CREATE TABLE threads (id TEXT PRIMARY KEY, database_name TEXT, title TEXT, created_at REAL, ended_at REAL,
    last_activity_at REAL, model_name TEXT, messages_json BLOB, extra_metadata TEXT)`,
  );
  const insert = db.prepare(
    "INSERT INTO threads VALUES (?, 'shop', 'How many?', 1.5, NULL, 2.5, 'claude', ?, ?)",
  );
  const blob = new TextEncoder().encode(JSON.stringify(MESSAGES));
  insert.run("saved", blob, '{"database_selector":["shop","other"],"version":1}');
  insert.run("adhoc", blob, '{"resume_disabled":true,"resume_disabled_reason":"dsn","version":1}');
  insert.run("broken", new TextEncoder().encode("{"), null);
  db.close();
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
