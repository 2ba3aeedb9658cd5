/**
 * Conversations of the Python program taken over: what was said is there, and its file is as it was.
 */
import assert from "node:assert/strict";
import { PATIENCE_MS } from "../../support/patience.ts";
import { Program } from "../../support/program.ts";
import { writePythonThreads } from "../../support/python_threads.ts";

async function withPythonHome(
  test: (options: { home: string; path: string }) => Promise<void>,
  { broken }: { broken: boolean },
): Promise<void> {
  const home = await Deno.makeTempDir();
  try {
    const folder = `${home}/.config/sqlsaber`;
    await Deno.mkdir(folder, { recursive: true });
    const path = `${folder}/threads.db`;
    writePythonThreads(path, { broken });
    await test({ home, path });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

async function run(args: string[], home: string): Promise<{ lines: string[]; errors: string; code: number }> {
  const env = { XDG_CONFIG_HOME: `${home}/.config`, XDG_DATA_HOME: `${home}/.local/share` };
  await using program = new Program({ args, home, env });
  const lines: string[] = [];
  for (
    let line = await program.line(PATIENCE_MS);
    line !== undefined;
    line = await program.line(PATIENCE_MS)
  ) {
    lines.push(line);
  }
  return { lines, errors: await program.errors(), code: (await program.exit).code };
}

async function everythingIn(path: string): Promise<string[]> {
  const folder = path.slice(0, path.lastIndexOf("/"));
  const names = (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
  return await Promise.all(
    names.map(async (name) => `${name} ${(await Deno.readFile(`${folder}/${name}`)).toHex()}`),
  );
}

const ignore = Deno.build.os !== "linux"; // the places of the files are Linux's

Deno.test(
  { name: "all conversations are taken over once, and nothing is written there", ignore },
  async () => {
    await withPythonHome(async ({ home, path }) => {
      const before = await everythingIn(path);
      assert.deepEqual((await run(["threads", "import"], home)).lines, ["Imported 2 conversations."]);
      assert.deepEqual((await run(["threads", "import"], home)).lines, ["Imported 0 conversations."]);
      const { lines } = await run(["threads", "list", "--json"], home);
      const threads: { id: string; selectors: unknown; created_at: string; turns: number }[] = JSON.parse(
        lines[0] ?? "",
      );
      assert.deepEqual(
        threads.map(({ id, selectors, created_at, turns }) => [id, selectors, created_at, turns]),
        [
          ["adhoc", null, "1970-01-01T00:00:01.500Z", 1],
          ["saved", ["shop", "other"], "1970-01-01T00:00:01.500Z", 1],
        ],
      );
      const shown = (await run(["threads", "show", "saved"], home)).lines.join("\n");
      assert.match(shown, /> How many\?[\s\S]*Let me look\.[\s\S]*```sql\nSELECT 1\n```[\s\S]*One\./);
      assert.deepEqual(await everythingIn(path), before);
    }, { broken: false });
  },
);

Deno.test({ name: "a conversation that cannot be read is named", ignore }, async () => {
  await withPythonHome(async ({ home, path }) => {
    const before = await everythingIn(path);
    const { errors, code } = await run(["threads", "import", "broken"], home);
    assert.equal(errors, 'saber: Cannot import the thread "broken": it cannot be read.\n');
    assert.equal(code, 1);
    assert.match((await run(["threads", "import", "none"], home)).errors, /there is none in /);
    assert.deepEqual(await everythingIn(path), before);
  }, { broken: true });
});
