/**
 * What only the compiled program does ($PROGRAM): it runs with nothing else around, and unpacks its libraries.
 * `deno task test:binary` runs it; the source has none of it.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { enginePlaces } from "./support/engine_places.ts";
import { shop } from "./support/shop.ts";
import { MODES } from "./support/through_modes.ts";

const PROGRAM = Deno.env.get("PROGRAM") ?? "dist/saber";
const NOBODY = 65534;
const COUNT = "SELECT count(*) AS n FROM customers";
/** In a database without tables. */
const SERIES = "SELECT count(*) AS n FROM generate_series(1, 1000)";

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the program with nothing in its environment but a cache folder; no Deno and no package is to be found. */
async function saber(cache: string, args: readonly string[], { uid }: { uid?: number } = {}): Promise<Ran> {
  const { code, stdout, stderr } = await new Deno.Command(PROGRAM, {
    args: [...args],
    clearEnv: true,
    env: { PATH: "/nowhere", HOME: "/nowhere", SQLSABER_CACHE_DIR: cache },
    ...uid === undefined ? {} : { uid },
  }).output();
  const text = new TextDecoder();
  return { code, out: text.decode(stdout), err: text.decode(stderr) };
}

async function answer(cache: string, target: string, sql: string): Promise<string> {
  const { code, out, err } = await saber(cache, ["sql", "-d", target, "--output", "csv", sql]);
  assert.equal(code, 0, err);
  return out.trim();
}

async function refusal(cache: string, options: { uid?: number } = {}): Promise<string> {
  const { code, out, err } = await saber(cache, ["sql", "-d", "duckdb::memory:", "SELECT 42"], options);
  assert.equal(code, 1, out);
  return err.trim();
}

/** A new empty folder, gone at the end. */
async function temporary(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir({ prefix: "saber-binary-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** A file system of its own in memory. */
async function mounted(options: string): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir({ prefix: "saber-binary-" });
  await system("mount", "-t", "tmpfs", "-o", options, "tmpfs", path);
  return {
    path,
    async [Symbol.asyncDispose]() {
      await system("umount", path);
      await Deno.remove(path);
    },
  };
}

async function system(program: string, ...args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args: [...args] }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

async function unpacked(cache: string): Promise<string> {
  const [folder] = await Array.fromAsync(Deno.readDir(join(cache, "saber")));
  assert.ok(folder);
  return join(cache, "saber", folder.name);
}

for (const format of ["csv", "parquet"] as const) {
  for (const [mode, send] of Object.entries(MODES)) {
    Deno.test(`with nothing else on the machine, ${mode} answers on every engine, of files on ${format}`, async () => {
      await using files = await temporary();
      await using home = await temporary();
      const wrap = () => ["/usr/bin/env", "-u", "DENO_DIR", "PATH=/nowhere", `HOME=${home.path}`, PROGRAM];
      const places = await enginePlaces(files.path, { format });
      const outcomes = await send(
        places.map((place) => ({ place, sql: place.engine === "postgres" ? SERIES : COUNT })),
        { wrap, serves: () => {} },
      );
      assert.equal(outcomes.length, places.length);
      for (const { place, failed, text } of outcomes) {
        assert.ok(!failed && /\b1[,.]?000\b/.test(text), `${place.name}: ${text}`);
      }
    });
  }
}

Deno.test("processes that unpack at the same moment all work, and leave two libraries that only the user can read", async () => {
  await using cache = await temporary();
  const answers = Array.from({ length: 4 }, () => answer(cache.path, "duckdb::memory:", "SELECT 42 AS n"));
  assert.deepEqual(await Promise.all(answers), Array(4).fill("n\n42"));
  const folder = await unpacked(cache.path);
  const files = await Array.fromAsync(Deno.readDir(folder));
  assert.deepEqual(files.map(({ name }) => name).sort(), ["duckdb.node", "libduckdb.so"]);
  for (const path of [folder, ...files.map(({ name }) => join(folder, name))]) {
    assert.equal(
      (await Deno.stat(path)).mode ?? 0 & 0o077,
      0o700 | ((await Deno.stat(path)).mode ?? 0) & ~0o777,
    );
  }
});

Deno.test("a library that somebody changed is not loaded but replaced", async () => {
  await using cache = await temporary();
  await answer(cache.path, "duckdb::memory:", "SELECT 1 AS n");
  const path = join(await unpacked(cache.path), "libduckdb.so");
  const whole = await Deno.readFile(path);
  const changed = whole.slice();
  changed.fill(0x90, 40_000_000, 40_000_100);
  for (const content of [changed, whole.slice(0, 1000), new Uint8Array()]) {
    await Deno.remove(path);
    await Deno.writeFile(path, content, { mode: 0o700 });
    assert.equal(await answer(cache.path, "duckdb::memory:", "SELECT 1 AS n"), "n\n1");
    assert.deepEqual(await Deno.readFile(path), whole);
  }
});

Deno.test("a folder that others may write to, or that is not ours, is not used", async () => {
  await using cache = await temporary();
  await answer(cache.path, "duckdb::memory:", "SELECT 1 AS n");
  const folder = await unpacked(cache.path);
  await Deno.chmod(folder, 0o777);
  assert.match(
    await refusal(cache.path),
    /belongs to somebody else, or others may write to it\. Set SQLSABER_CACHE_DIR/,
  );
  await Deno.chmod(folder, 0o700);
  await Deno.chown(folder, NOBODY, NOBODY);
  assert.match(
    await refusal(cache.path),
    /belongs to somebody else, or others may write to it\. Set SQLSABER_CACHE_DIR/,
  );
});

Deno.test("a folder that can't be used is named, with what to do; SQLite works without it", async () => {
  await using cache = await temporary();
  await Deno.chmod(cache.path, 0o755);
  const path = cache.path.replaceAll("/", "\\/");
  const told = (state: string) =>
    new RegExp(`^saber: Cannot unpack a library to ${path}.*: ${state}\\. Set SQLSABER_`);
  assert.match(await refusal(cache.path, { uid: NOBODY }), told("it can't be written to"));
  await Deno.writeTextFile(join(cache.path, "saber"), "");
  assert.match(await refusal(cache.path), told("a part of the path is no folder"));
  assert.equal(await answer(cache.path, await shop("sqlite"), COUNT), "n\n1000");
});

for (
  const [options, state] of [
    ["size=8m", "the disk is full"],
    ["ro", "it is on a read-only disk"],
    ["noexec", "programs can't be loaded from there"],
  ] as const
) {
  Deno.test(`a cache folder on a disk mounted with ${options}: ${state}`, async () => {
    await using disk = await mounted(options);
    const told = await refusal(disk.path);
    assert.ok(told.includes(`: ${state}. Set SQLSABER_CACHE_DIR`), told);
  });
}
