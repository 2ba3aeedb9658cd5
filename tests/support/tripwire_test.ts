/** The tripwire itself: untouched it says nothing, and it notices each of the two touches. */
import assert from "node:assert/strict";
import { eventually } from "../suites/database_fixture.ts";
import { testFolder } from "./duckdb.ts";
import { SOON_MS } from "./patience.ts";
import { Tripwire } from "./tripwire.ts";

Deno.test("a tripwire notices who reads its file and who connects to its port", async () => {
  await using folder = await testFolder();
  await using wire = await Tripwire.lay(folder.path);
  assert.deepEqual(wire.touched(), []);
  await assert.rejects(fetch(`${wire.url}/x`));
  await eventually(SOON_MS, () => Promise.resolve(wire.touched().includes("port")));
  assert.equal(await Deno.readTextFile(wire.path), "");
  await eventually(SOON_MS, () => Promise.resolve(wire.touched().includes("file")));
});
