/**
 * Statements as a client's calls of execute_sql on `saber mcp`, all sent at once, and what must become of them.
 */
import assert from "node:assert/strict";
import { callOf, hello, request } from "./mcp.ts";
import { PATIENCE_MS } from "./patience.ts";
import { Program } from "./program.ts";

/** What no refusal may repeat: the content of files that attacks try to read. */
export const FORBIDDEN = "open sesame";
/** Results are read whole, so statements whose values JSON lacks end in this. */
const NO_JSON = /^\[unsupported_value\] /;

/** The text of the answer to each statement, "" for rows; all are sent at once. */
export async function execute(
  databases: readonly string[],
  statements: readonly string[],
): Promise<string[]> {
  const args = ["mcp", ...databases.flatMap((database) => ["-d", database]), "--timeout", "10"];
  await using program = new Program({ args });
  const calls = statements.map((query, id) => request(id, "tools/call", callOf("execute_sql", { query })));
  const sent = program.send([...hello(), ...calls].map((message) => `${JSON.stringify(message)}\n`).join(""));
  const answers = new Map<number, string>();
  await program.line(PATIENCE_MS);
  while (answers.size < statements.length) {
    const line = await program.line(PATIENCE_MS);
    if (line === undefined) assert.fail(`the program ended:\n${await program.errors()}`);
    const { id, result } = JSON.parse(line);
    assert.ok(!answers.has(id), "a statement is answered once");
    answers.set(id, result.isError ? result.content[0].text : "");
  }
  await sent;
  await program.endInput();
  assert.equal(await program.errors(), "");
  return statements.map((_, id) => answers.get(id) ?? assert.fail(`no answer to statement ${id}`));
}

/** Every statement is refused with a code and a sentence. */
export async function refuses(databases: readonly string[], statements: readonly string[]): Promise<void> {
  const texts = await execute(databases, statements);
  for (const [index, text] of texts.entries()) {
    assert.match(text, /^\[(?!internal)[a-z_]+\] Cannot .+\.$/s, statements[index] ?? "");
    assert.ok(!text.includes(FORBIDDEN), statements[index] ?? "");
  }
}

/** Every statement runs. A few honest statements give values that JSON lacks: they ran too. */
export async function runs(databases: readonly string[], statements: readonly string[]): Promise<void> {
  const texts = await execute(databases, statements);
  const refused = texts.flatMap((text, at) =>
    text === "" || NO_JSON.test(text) ? [] : [`${statements[at]}\n${text}`]
  );
  assert.deepEqual(refused, []);
  assert.ok(texts.filter((text) => NO_JSON.test(text)).length <= texts.length / 20);
}
