import assert from "node:assert/strict";
import { LogFile } from "../../src/base/log_file.ts";

const read = (path: string) => Deno.readTextFileSync(path);
const names = (folder: string) => Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();

Deno.test("a full log file is put aside, and the oldest goes", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/logs/saber.log`;
  using log = new LogFile({ path, rotation: { every: { bytes: 10 }, kept: 2 } });
  for (const line of ["one", "two", "three", "four", "a line longer than ten bytes", "five"]) log.write(line);
  assert.deepEqual(names(`${folder}/logs`), ["saber.log", "saber.log.1", "saber.log.2"]);
  assert.equal(read(path), "five\n");
  assert.equal(read(`${path}.1`), "a line longer than ten bytes\n");
  assert.equal(read(`${path}.2`), "four\n");
  assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  assert.equal((Deno.statSync(`${folder}/logs`).mode ?? 0) & 0o777, 0o700);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a log file is put aside when its time is over", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/saber.log`;
  let now = Date.now();
  using log = new LogFile({
    path,
    rotation: { every: { milliseconds: 86_400_000 }, kept: 3 },
    now: () => now,
  });
  log.write("today");
  log.write("still today");
  now += 86_400_000;
  log.write("tomorrow");
  assert.deepEqual([read(`${path}.1`), read(path)], ["today\nstill today\n", "tomorrow\n"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a log that is held is opened at once and never put aside", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/logs/saber.log`;
  using log = new LogFile({ path, rotation: { every: { bytes: 3 }, kept: 2 } });
  log.hold();
  assert.deepEqual(names(`${folder}/logs`), ["saber.log"]);
  for (const line of ["one", "two", "three"]) log.write(line);
  assert.deepEqual(names(`${folder}/logs`), ["saber.log"]);
  assert.equal(read(path), "one\ntwo\nthree\n");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("processes that share a log file put it aside once", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/saber.log`;
  const rotation = { every: { bytes: 12 }, kept: 5 };
  using one = new LogFile({ path, rotation });
  using other = new LogFile({ path, rotation });
  for (let n = 0; n < 6; n++) (n % 2 === 0 ? one : other).write(`line ${n}`);
  assert.equal(
    names(folder).reverse().map((name) => read(`${folder}/${name}`)).join(""),
    "line 0\nline 1\nline 2\nline 3\nline 4\nline 5\n",
  );
  await Deno.remove(folder, { recursive: true });
});

Deno.test("putting a file aside looks only for those that are there, however many may be kept", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/saber.log`;
  using log = new LogFile({ path, rotation: { every: { bytes: 5 }, kept: Number.MAX_SAFE_INTEGER } });
  for (const line of ["one", "two", "three"]) log.write(line);
  assert.deepEqual([`${path}.2`, `${path}.1`, path].map(read), ["one\n", "two\n", "three\n"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a log that cannot be written is no failure", async () => {
  const folder = await Deno.makeTempDir();
  const rotation = { every: { bytes: 10 }, kept: 1 };
  new LogFile({ path: folder, rotation }).write("lost");
  new LogFile({ path: `${folder}/\0`, rotation }).write("lost");
  assert.deepEqual(names(folder), []);
  await Deno.remove(folder, { recursive: true });
});
