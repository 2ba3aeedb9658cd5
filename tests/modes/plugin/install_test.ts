/**
 * `saber plugin install`, `manifest` and `selftest`: what is installed starts without arguments, and is what it says.
 */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { DRIVER_IDS } from "../../../src/modes/plugin/drivers.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { PluginHost } from "../../support/plugin_host.ts";
import { Program } from "../../support/program.ts";
import { makeFile } from "../../support/sqlite_file.ts";

const capability = z.union([z.boolean(), z.string(), z.array(z.string())]);
const manifest = z.looseObject({
  id: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,63}$/)),
  name: z.string().check(z.minLength(1)),
  kind: z.literal("driver"),
  version: z.string().check(z.regex(/^\d+\.\d+\.\d+/)),
  description: z.string().check(z.maxLength(280)),
  executable: z.string(),
  default_port: z.nullable(z.int()),
  capabilities: z.catchall(
    z.object({ schemas: z.boolean(), views: z.boolean(), routines: z.boolean(), file_based: z.boolean() }),
    capability,
  ),
  data_types: z.array(z.strictObject({
    name: z.string(),
    category: z.enum(["numeric", "string", "date", "binary", "json", "spatial", "other"]),
    requires_length: z.boolean(),
    requires_precision: z.boolean(),
    default_length: z.optional(z.string()),
    supports_auto_increment: z.optional(z.boolean()),
  })),
  settings: z.array(z.looseObject({
    key: z.string(),
    label: z.string(),
    type: z.enum(["string", "boolean", "number", "select"]),
  })),
});

/** What a command prints, line by line, and how it ends. */
async function run(args: readonly string[]): Promise<{ lines: string[]; code: number; errors: string }> {
  await using program = new Program({ args: ["plugin", ...args] });
  await program.endInput();
  const lines: string[] = [];
  for (
    let line = await program.line(PATIENCE_MS);
    line !== undefined;
    line = await program.line(PATIENCE_MS)
  ) {
    lines.push(line);
  }
  return { lines, code: (await program.exit).code, errors: await program.errors() };
}

Deno.test("an installed driver starts without arguments and knows which it is", async () => {
  const folder = await Deno.makeTempDir({ prefix: "saber-plugins-" });
  assert.equal((await run(["install", "--dir", folder])).code, 0);
  assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), [...DRIVER_IDS].sort());
  for (const id of DRIVER_IDS) {
    const texts = await Promise.all(
      [".tabularium", "manifest.json"].map((name) => Deno.readTextFile(`${folder}/${id}/${name}`)),
    );
    assert.equal(texts[0], texts[1]);
    const told = manifest.parse(JSON.parse(texts[0] ?? ""));
    assert.equal(told.id, id);
    const { mode } = await Deno.stat(`${folder}/${id}/${told.executable}`);
    if (mode !== null) assert.equal(mode & 0o111, 0o111, "it may be started");
  }
  await using file = await makeFile("CREATE TABLE t (a INTEGER)");
  const command = [`${folder}/saber-sqlite/saber-sqlite-plugin`];
  await using host = new PluginHost({ database: file.path }, { command });
  assert.deepEqual(await host.ask("get_tables", { schema: null }), [{ name: "t", comment: null }]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("drivers go beside the others where the host keeps its kinds apart", async () => {
  const folder = await Deno.makeTempDir({ prefix: "saber-plugins-" });
  await Deno.mkdir(`${folder}/drivers`);
  assert.equal((await run(["install", "--dir", folder, "--driver", "saber-files"])).code, 0);
  assert.equal((await Deno.stat(`${folder}/drivers/saber-files/manifest.json`)).isFile, true);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("the manifest is printed, and an unknown driver is refused", async () => {
  const { lines } = await run(["manifest", "--driver", "saber-postgres"]);
  const told = manifest.parse(JSON.parse(lines.join("")));
  assert.equal(told.capabilities.sql_dialect, "postgres");
  const refused = await run(["manifest", "--driver", "nope"]);
  assert.deepEqual([refused.code, refused.lines], [2, []]);
  assert.match(refused.errors, /saber-sqlite/);
});

Deno.test("the self-test tries each method on a database of its own", async () => {
  const { lines, code } = await run(["selftest", "--driver", "saber-sqlite"]);
  assert.equal(code, 0);
  assert.ok(lines.length > 10 && lines.every((line) => line.endsWith(": ok")), lines.join("\n"));
  const failed = await run(["selftest", "--driver", "saber-sqlite", "-d", "no-such-file.db"]);
  assert.equal(failed.code, 1);
  assert.match(failed.lines[0] ?? "", /test_connection: Cannot open/);
});
