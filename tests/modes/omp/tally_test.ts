/** Every promise to hosts of omp and pi is kept somewhere, and no dialogue is left out. */
import assert from "node:assert/strict";
import { gapsOf } from "../../support/tally.ts";
import { TALLY } from "./tally.ts";

Deno.test("each promise of saber --mode rpc is tested where the tally says, and each dialogue keeps one", async () => {
  assert.deepEqual(await gapsOf(TALLY, "fixtures/dialogues/omp"), { missing: [], unnamed: [], twice: [] });
});
