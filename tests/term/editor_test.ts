/**
 * Typing: what terminals send becomes keys, keys change the text, and the text is laid out with its cursor.
 */
import assert from "node:assert/strict";
import { Editor } from "../../src/term/editor.ts";
import { inputArea } from "../../src/term/input_lines.ts";
import { type Key, readKeys } from "../../src/term/keys.ts";
import { PLAIN } from "../../src/term/paint.ts";

async function* each(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}

async function keysOf(...pieces: string[]): Promise<string[]> {
  const keys = await Array.fromAsync(readKeys(each(pieces)));
  return keys.map((key) => key.name === "text" ? `"${key.text}"` : key.name);
}

const ESC = "\x1b";

Deno.test("what a terminal sends becomes keys, however it is cut", async () => {
  const sent = `aé東\r${ESC}[A${ESC}OB${ESC}[1;5D\x7f${ESC}\r\x03${ESC}[99~x\t`;
  const expected = [
    '"aé東"',
    "enter",
    "up",
    "down",
    "word-left",
    "backspace",
    "newline",
    "interrupt",
    "unknown",
    '"x"',
    "tab",
  ];
  assert.deepEqual(await keysOf(sent), expected);
  assert.deepEqual(await keysOf(`${ESC}[`, "A", `${ESC}O`, "B", `${ESC}[1;`, "5D"), [
    "up",
    "down",
    "word-left",
  ]);
  assert.deepEqual(await keysOf(ESC, "a"), ["escape", '"a"']);
});

Deno.test("what is pasted is text, line ends and all", async () => {
  assert.deepEqual(await keysOf(`${ESC}[200~a\r\nb`, `\rc${ESC}[201~\r`), ['"a\nb\nc"', "enter"]);
});

async function typed(editor: Editor, ...pieces: string[]): Promise<string> {
  for await (const key of readKeys(each(pieces))) editor.apply(key);
  return `${editor.text.slice(0, editor.cursor)}|${editor.text.slice(editor.cursor)}`;
}

Deno.test("keys change the text by characters as they are seen, words and lines", async () => {
  assert.equal(await typed(new Editor(), "ae\u0301👩‍👩‍👧", "\x7f", "\x7f", "b"), "ab|");
  assert.equal(await typed(new Editor(), "one two  three", "\x17", "\x17"), "one |");
  assert.equal(await typed(new Editor(), "one two", `${ESC}b`, "\x0b"), "one |");
  assert.equal(await typed(new Editor(), "one two", "\x01", `${ESC}f`, "\x15"), "| two");
  assert.equal(await typed(new Editor(), "abc", `${ESC}[D`, `${ESC}[D`, `${ESC}[3~`), "a|c");
  assert.equal(await typed(new Editor(), "first\nsec", `${ESC}[A`, "X"), "firX|st\nsec");
});

Deno.test("the first line goes to what was typed before, and back to the draft", async () => {
  const editor = new Editor(["old", "older\nlines"]);
  const up = `${ESC}[A`;
  const down = `${ESC}[B`;
  assert.equal(await typed(editor, "draft", up), "older\nlines|");
  assert.equal(await typed(editor, up, up), "old|");
  assert.equal(await typed(editor, up), "old|");
  assert.equal(await typed(editor, down, down), "draft|");
  assert.equal(editor.take(), "draft");
  assert.equal(await typed(editor, up), "draft|");
  const keys: Key[] = [{ name: "escape" }, { name: "unknown" }];
  assert.deepEqual(keys.map((key) => editor.apply(key)), [false, false]);
});

Deno.test("the text is wrapped to the window, and the cursor is where it is", () => {
  const look = { columns: 8, paint: PLAIN, sign: "❯ ", hints: [] };
  const at = (text: string, cursor: number) => inputArea({ text, cursor }, look);
  assert.deepEqual(at("", 0), { lines: ["❯ "], cursor: { up: 0, column: 2 } });
  assert.deepEqual(at("abcdefg", 7), { lines: ["❯ abcde", "  fg"], cursor: { up: 0, column: 4 } });
  assert.deepEqual(at("abcdefg", 1), { lines: ["❯ abcde", "  fg"], cursor: { up: 1, column: 3 } });
  assert.deepEqual(at("東京都a", 3), {
    lines: ["❯ 東京", "  都a"],
    cursor: { up: 0, column: 4 },
  });
  assert.deepEqual(at("a\n\nb", 2), { lines: ["❯ a", "  ", "  b"], cursor: { up: 1, column: 2 } });
  assert.deepEqual(inputArea({ text: "a", cursor: 1 }, { ...look, hints: ["  one", "  a long hint"] }), {
    lines: ["❯ a", "  one", "  a lon…"],
    cursor: { up: 2, column: 3 },
  });
});
