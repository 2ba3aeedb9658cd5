/** One shop is made for all test files, also when several ask for it at the same moment. */
import assert from "node:assert/strict";
import { sqliteRows } from "./shop_query.ts";

const ASK = `import { shop } from "${new URL(
  "./shop.ts",
  import.meta.url,
)}"; console.log(await shop("sqlite"));`;

Deno.test("processes that ask at once get the same whole file, and later ones reuse it", async () => {
  const temp = await Deno.makeTempDir();
  try {
    const paths = await Promise.all([ask(temp), ask(temp), ask(temp)]);
    const [path] = paths;
    assert(path !== undefined);
    assert.deepEqual(paths, [path, path, path]);
    const made = await Deno.stat(path);
    assert.equal(await ask(temp), path);
    assert.deepEqual((await Deno.stat(path)).mtime, made.mtime);
    assert.equal((await Array.fromAsync(Deno.readDir(temp))).length, 1, "no staging folder is left behind");
    assert.deepEqual(sqliteRows(path, "PRAGMA integrity_check"), [["ok"]]);
    assert.deepEqual(sqliteRows(path, "SELECT count(*) FROM orders"), [[21_000n]]);
  } finally {
    await Deno.remove(temp, { recursive: true });
  }
});

/** Asks for the shop in a process of its own whose temp folder is `temp`. */
async function ask(temp: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "-q", ASK],
    env: { TMPDIR: temp, TMP: temp, TEMP: temp },
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}
