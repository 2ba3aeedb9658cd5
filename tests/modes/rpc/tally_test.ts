/** Every promise of the tally is kept somewhere, and no dialogue is left out of it. */
import assert from "node:assert/strict";
import { gapsOf } from "../../support/tally.ts";
import { TALLY } from "./tally.ts";

Deno.test("each promise of saber rpc is tested where the tally says, and each dialogue keeps one", async () => {
  assert.deepEqual(await gapsOf(TALLY, "fixtures/dialogues/rpc"), { missing: [], unnamed: [], twice: [] });
});
