/**
 * `deno task compile`: one executable from the repository, for this system or for `--target TRIPLE`, with everything inside.
 * It bundles the program, makes the libraries load what it carries, and compiles that with scoped permissions. Next to the
 * executable it writes a bill of materials and the checksums of all that lies there.
 *
 * On Linux what is carried lies behind the base binary, where a start does not read it; elsewhere it is an embedded file.
 */
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeBill } from "./bill.ts";
import { nativeFiles, TARGETS } from "./native.ts";
import { patchFiles } from "./patches.ts";
import { makePayload } from "./payload.ts";
import { run } from "./run.ts";
import { writeSums } from "./sums.ts";
import { V8_FLAGS } from "./v8_flags.ts";

const OUTPUT = "dist";
const WORK = "dist/build";
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
  const parts = join(WORK, "parts");
  await bundle("src/build/entry.ts", { output: parts });

  const { data, files } = await makePayload({
    ...await nativeFiles(target, WORK),
    "libpg-query.wasm": beside("libpg-query/wasm", "libpg-query.wasm"),
    "sqlparser.wasm": beside("@guanmingchiu/sqlparser-ts", "../wasm/sqlparser_rs_wasm_bg.wasm"),
  });
  const base = triple === Deno.build.target ? Deno.env.get("DENORT_BIN") : undefined;
  const offset = base === undefined ? undefined : (await Deno.stat(base)).size;
  const index = JSON.stringify({ ...offset === undefined ? {} : { offset }, files });
  await patchFiles(parts, { index, library: target.library });
  const code = join(WORK, "code");
  await bundle(join(parts, "entry.js"), { output: code, minify: true });

  // what is imported where it is needed has to be named: the compiler looks no further than the entry's own imports
  const flags = [
    "-P=binary",
    `--v8-flags=${V8_FLAGS}`,
    "--target",
    triple,
    "--output",
    output,
    "--include",
    code,
  ];
  const entry = join(code, "entry.js");
  if (base === undefined) await Deno.writeFile(join(code, "payload.bin"), data);
  await forgetTimes(code);
  if (base === undefined) {
    await deno("compile", ...flags, entry);
  } else {
    const carrying = join(WORK, "base");
    await Deno.writeFile(carrying, await Deno.readFile(base));
    await Deno.writeFile(carrying, data, { append: true });
    await run(Deno.execPath(), ["compile", "-q", ...flags, entry], { env: { DENORT_BIN: carrying } });
  }
  // a base of another Deno makes a program that does not start
  if (triple === Deno.build.target) await run(resolve(output), ["--version"]);
  await writeBill(`${output}.cdx.json`);
  await writeSums(OUTPUT);
}

/** Into a folder, in parts: a start reads only those that it needs. */
async function bundle(entry: string, { output, minify = false }: { output: string; minify?: boolean }) {
  await Deno.remove(output, { recursive: true }).catch(() => undefined); // names change with what is in them
  const external = NOT_BUNDLED.flatMap((name) => ["--external", name]);
  await deno(
    "bundle",
    "--code-splitting",
    ...minify ? ["--minify"] : [],
    ...external,
    "--outdir",
    output,
    entry,
  );
}

/** The compiler keeps when each file was written; without that, the same sources give the same bytes. */
async function forgetTimes(folder: string): Promise<void> {
  for await (const { name } of Deno.readDir(folder)) await Deno.utime(join(folder, name), 0, 0);
}

async function deno(command: string, ...args: readonly string[]): Promise<void> {
  await run(Deno.execPath(), [command, "-q", ...args]);
}

/** A file of a package, by its place relative to the package's module. */
function beside(module: string, path: string): string {
  return fileURLToPath(new URL(path, import.meta.resolve(module)));
}
