/**
 * The program as a program: every conversation in fixtures/dialogues, one test each (grammar: support/dialogue.ts).
 * With $PROGRAM set, against that executable.
 */
import assert from "node:assert/strict";
import { playDialogue } from "./support/play_dialogue.ts";
import { readSources } from "./support/sources.ts";

const dialogues = await readSources("fixtures/dialogues", (path) => path.endsWith(".txt"));

Deno.test("there are dialogues", () => assert.ok(dialogues.length > 0));

for (const { path, text } of dialogues) {
  Deno.test({
    name: path.replace("fixtures/dialogues/", "dialogue "),
    ignore: Deno.build.os === "windows" && text.includes("\n@signal "), // there a signal just kills
    fn: () => playDialogue(text),
  });
}
