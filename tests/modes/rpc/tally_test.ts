/** Every promise of the tally is kept somewhere, and no dialogue is left out of it. */
import assert from "node:assert/strict";
import { readSources } from "../../support/sources.ts";
import { TALLY } from "./tally.ts";

const DIALOGUES = "fixtures/dialogues/rpc";

Deno.test("each promise of saber rpc is tested where the tally says", async () => {
  const sources = [
    ...await readSources(DIALOGUES, (path) => path.endsWith(".txt")),
    ...await readSources("tests", (path) => path.endsWith(".ts")),
  ];
  const texts = new Map(sources.map(({ path, text }) => [path.replace(`${DIALOGUES}/`, ""), text]));
  const missing = TALLY.filter(([, place, words]) => !texts.get(place)?.includes(words));
  assert.deepEqual(missing.map(([promise, place]) => `${promise}: not in ${place}`), []);
  assert.equal(new Set(TALLY.map(([promise]) => promise)).size, TALLY.length, "a promise stands there twice");
});

Deno.test("each dialogue of saber rpc keeps a promise of the tally", async () => {
  const dialogues = await readSources(DIALOGUES, (path) => path.endsWith(".txt"));
  const named = new Set(TALLY.map(([, place]) => place));
  assert.deepEqual(dialogues.filter(({ path }) => !named.has(path.replace(`${DIALOGUES}/`, ""))), []);
});
