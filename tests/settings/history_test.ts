import assert from "node:assert/strict";
import { addToHistory, readHistory } from "../../src/settings/history.ts";

Deno.test("prompts are kept one a line, after those of the Python program, and the latest hundred are read", async () => {
  const folder = await Deno.makeTempDir();
  try {
    assert.deepEqual(await readHistory(folder), []);
    await Deno.writeTextFile(`${folder}/history`, "\n# 2026-01-02 03:04:05\n+how many?\n");
    await addToHistory(folder, "first\n  second");
    assert.equal(
      await Deno.readTextFile(`${folder}/history`),
      "\n# 2026-01-02 03:04:05\n+how many?\n+first second\n",
    );
    assert.deepEqual(await readHistory(folder), ["how many?", "first second"]);
    for (let n = 0; n < 120; n++) await addToHistory(folder, `prompt ${n}`);
    const read = await readHistory(folder);
    assert.deepEqual([read.length, read[0], read.at(-1)], [100, "prompt 20", "prompt 119"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
