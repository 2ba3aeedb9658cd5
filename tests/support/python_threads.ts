/**
 * A file of threads as the Python program writes it, after its documented format.
 */
import { DatabaseSync } from "node:sqlite";

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

/** Threads `saved` and `adhoc`, and `broken`, which nobody can read, unless it is to be left out. */
export function writePythonThreads(path: string, { broken = true } = {}): void {
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
  if (broken) insert.run("broken", new TextEncoder().encode("{"), null);
  db.close();
}
