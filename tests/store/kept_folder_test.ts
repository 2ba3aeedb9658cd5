import assert from "node:assert/strict";
import { keptFolder } from "../../src/store/kept_folder.ts";

const id = (n: number) => `${n === 2 ? "art" : "qr"}_${String(n).padStart(32, "0")}`;
const OLD = new Date(Date.now() - 2 * 24 * 3600 * 1000);

async function withResults(
  test: (data: string, names: () => Promise<string[]>) => Promise<void>,
): Promise<void> {
  const data = await Deno.makeTempDir();
  const { path } = await keptFolder(data);
  for (const n of [1, 2, 3]) await Deno.mkdir(`${path}/${id(n)}`);
  await Deno.mkdir(`${path}/.tmp-${id(4)}`);
  for (const name of [id(1), id(2), `.tmp-${id(4)}`]) await Deno.utime(`${path}/${name}`, OLD, OLD);
  const names = async () =>
    (await Array.fromAsync(Deno.readDir(path))).filter((entry) => entry.isDirectory).map(({ name }) => name)
      .sort();
  try {
    await test(data, names);
  } finally {
    await Deno.remove(data, { recursive: true });
  }
}

Deno.test("the sweep removes what is old and mentioned nowhere, once a day", async () => {
  await withResults(async (data, names) => {
    const folder = await keptFolder(data);
    await folder.sweep?.(() => [`[{"broken, but it mentions ${id(5)} and ${id(2)}`]);
    assert.deepEqual(await names(), [id(2), id(3)]);
    await folder.sweep?.(() => []);
    assert.deepEqual(await names(), [id(2), id(3)]);
  });
});

Deno.test("what another document holds stays as long as it is mentioned there", async () => {
  await withResults(async (data, names) => {
    const folder = await keptFolder(data);
    const [first, second] = [`${data}/first.jsonl`, `${data}/second.jsonl`];
    await Deno.writeTextFile(first, "mentions nothing");
    await Deno.writeTextFile(second, `mentions ${id(1)}`);
    for (const document of [first, second, second, `${data}/absent.jsonl`]) {
      await folder.hold?.(id(1), document);
      await folder.hold?.(id(9), document); // there is none of this id, and none is made
    }
    await folder.hold?.(id(2), first);
    for (const n of [1, 2]) await Deno.utime(`${folder.path}/${id(n)}`, OLD, OLD);
    await folder.sweep?.(() => []);
    assert.deepEqual(await names(), [id(1), id(3)]);
    assert.equal(
      await Deno.readTextFile(`${folder.path}/${id(1)}/.holders`),
      `${first}\n${second}\n${data}/absent.jsonl\n`,
    );
  });
});

Deno.test("nothing is removed when the threads cannot be read", async () => {
  await withResults(async (data, names) => {
    const folder = await keptFolder(data);
    const failing = () => {
      throw new Error("disk");
    };
    await assert.rejects(async () => await folder.sweep?.(failing), /disk/);
    assert.equal((await names()).length, 4);
  });
});
