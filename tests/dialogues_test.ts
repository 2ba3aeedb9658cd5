/**
 * The program as a program: every conversation in fixtures/dialogues, one test each (grammar: support/dialogue.ts).
 * Whatever a dialogue expects, each line of `saber rpc` has to be in the schema that the program prints.
 * With $PROGRAM set, against that executable.
 */
import assert from "node:assert/strict";
import { playDialogue } from "./support/play_dialogue.ts";
import { schemaChecks } from "./support/schema_check.ts";
import { readSources } from "./support/sources.ts";

const dialogues = await readSources("fixtures/dialogues", (path) => path.endsWith(".txt"));

const { told } = await schemaChecks();

/** The printed schema, read by a validator of others, has every line that the program says. */
function check(line: string): void {
  const errors = told(JSON.parse(line));
  if (errors !== undefined) throw new Error(`The schema has no such line: ${errors}\n${line}`);
}

Deno.test("there are dialogues", () => assert.ok(dialogues.length > 0));

for (const { path, text } of dialogues) {
  Deno.test({
    name: path.replace("fixtures/dialogues/", "dialogue "),
    ignore: Deno.build.os === "windows" && text.includes("\n@signal "), // there a signal just kills
    fn: () => playDialogue(text, { check }),
  });
}
