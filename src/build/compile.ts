/**
 * `deno task compile`: one executable from the repository, for this system or for `--target TRIPLE`, with everything inside.
 * It bundles the program, makes the libraries load what it carries, and compiles that with scoped permissions. Next to the
 * executable it writes a bill of materials and the checksums of all that lies there.
 *
 * On Linux what is carried lies behind the base binary, where a start does not read it; elsewhere it is an embedded file.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeBill } from "./bill.ts";
import { nativeFiles, TARGETS } from "./native.ts";
import { patch } from "./patches.ts";
import { makePayload } from "./payload.ts";
import { run } from "./run.ts";
import { writeSums } from "./sums.ts";

const OUTPUT = "dist";
const WORK = "dist/build";
/** Rows only pass through: a small young generation keeps memory small. */
const V8 = "--v8-flags=--max-semi-space-size=2";
/** Native: they are carried. */
const NOT_BUNDLED = ["*.node", "@napi-rs/keyring"];

const { values } = parseArgs({
  options: {
    target: { type: "string", default: Deno.build.target },
    output: { type: "string", default: `${OUTPUT}/saber` },
  },
});
await compile(values.target, values.output);

async function compile(triple: string, output: string): Promise<void> {
  const target = TARGETS[triple];
  if (target === undefined) {
    throw new Error(`Unknown target ${triple}. Known: ${Object.keys(TARGETS).join(", ")}`);
  }
  await Deno.mkdir(WORK, { recursive: true });
  const external = NOT_BUNDLED.flatMap((name) => ["--external", name]);
  const bundle = join(WORK, "bundle.js");
  await deno("bundle", ...external, "--output", bundle, "src/build/entry.ts");

  const { data, files } = await makePayload({
    ...await nativeFiles(target, WORK),
    "libpg-query.wasm": beside("libpg-query/wasm", "libpg-query.wasm"),
    "sqlparser.wasm": beside("@guanmingchiu/sqlparser-ts", "../wasm/sqlparser_rs_wasm_bg.wasm"),
  });
  const payload = join(WORK, "payload.bin");
  await Deno.writeFile(payload, data);

  const base = triple === Deno.build.target ? Deno.env.get("DENORT_BIN") : undefined;
  const offset = base === undefined ? undefined : (await Deno.stat(base)).size;
  const index = JSON.stringify({ ...offset === undefined ? {} : { offset }, files });
  const patched = join(WORK, "patched.js");
  await Deno.writeTextFile(
    patched,
    patch(await Deno.readTextFile(bundle), { index, library: target.library }),
  );
  const code = join(WORK, "saber.js");
  await deno("bundle", "--minify", ...external, "--output", code, patched);

  const flags = ["-P=binary", V8, "--target", triple, "--output", output];
  if (base === undefined) await deno("compile", ...flags, "--include", payload, code);
  else {
    const carrying = join(WORK, "base");
    await Deno.writeFile(carrying, await Deno.readFile(base));
    await Deno.writeFile(carrying, data, { append: true });
    await run(Deno.execPath(), ["compile", "-q", ...flags, code], { env: { DENORT_BIN: carrying } });
  }
  await writeBill(`${output}.cdx.json`);
  await writeSums(OUTPUT);
}

async function deno(command: string, ...args: readonly string[]): Promise<void> {
  await run(Deno.execPath(), [command, "-q", ...args]);
}

/** A file of a package, by its place relative to the package's module. */
function beside(module: string, path: string): string {
  return fileURLToPath(new URL(path, import.meta.resolve(module)));
}
