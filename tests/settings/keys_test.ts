import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import { readKeyFile } from "../../src/settings/key_file.ts";
import { type Entry, type Keyring, systemKeyring } from "../../src/settings/keyring.ts";
import { Keys } from "../../src/settings/keys.ts";
import { faultOf } from "../support/asking.ts";

/** A keyring that holds its entries in memory. */
function keyringOf(entries: Map<string, string>): Keyring {
  const nameOf = ({ service, account }: Entry) => `${service}/${account}`;
  return {
    find: (entry) => Promise.resolve(entries.get(nameOf(entry))),
    save: (entry, secret) => Promise.resolve(Boolean(entries.set(nameOf(entry), secret))),
    remove: (entry) => Promise.resolve(entries.delete(nameOf(entry))),
  };
}

/** What a machine without a keyring has. */
const NO_KEYRING: Keyring = {
  find: () => Promise.resolve(undefined),
  save: () => Promise.resolve(false),
  remove: () => Promise.resolve(false),
};

const KEY = "sk-0123456789abcdef";

Deno.test("without a keyring a key is kept in a file that only its owner may read", async () => {
  const folder = await Deno.makeTempDir();
  const keys = new Keys({ folder: `${folder}/new`, keyring: NO_KEYRING });
  assert.equal(await keys.find("openai"), undefined);
  assert.equal(await keys.forget("openai"), false);
  assert.equal(await keys.save("openai", KEY), "file");
  assert.equal(await keys.save("groq", "gsk_1"), "file");
  assert.deepEqual(await keys.find("openai"), { key: KEY, place: "file" });
  if (Deno.build.os !== "windows") {
    assert.equal(((await Deno.stat(`${folder}/new/api_keys.json`)).mode ?? 0) & 0o777, 0o600);
    assert.equal(((await Deno.stat(`${folder}/new`)).mode ?? 0) & 0o777, 0o700);
  }
  assert.equal(await keys.forget("openai"), true);
  assert.equal(await keys.find("openai"), undefined);
  assert.deepEqual(await keys.find("groq"), { key: "gsk_1", place: "file" });
  await Deno.remove(folder, { recursive: true });
});

Deno.test("the keyring comes before the file, under the names of the Python program", async () => {
  const folder = await Deno.makeTempDir();
  await new Keys({ folder, keyring: NO_KEYRING }).save("openai", "sk-old");
  const entries = new Map<string, string>();
  const keys = new Keys({ folder, keyring: keyringOf(entries) });
  assert.deepEqual(await keys.find("openai"), { key: "sk-old", place: "file" });
  assert.equal(await keys.save("openai", KEY), "keyring");
  assert.deepEqual([...entries], [["sqlsaber-openai-api-key/openai", KEY]]);
  assert.deepEqual(await keys.find("openai"), { key: KEY, place: "keyring" });
  assert.equal((await Deno.readTextFile(`${folder}/api_keys.json`)).trim(), "{}", "the old key was left");
  assert.equal(await keys.forget("openai"), true);
  assert.equal(await keys.find("openai"), undefined);
  await Deno.remove(folder, { recursive: true });
});

Deno.test({
  name: "a file of keys that others may read is refused",
  ignore: Deno.build.os === "windows", // there a file has no such mode
  fn: async () => {
    const folder = await Deno.makeTempDir();
    const keys = new Keys({ folder, keyring: NO_KEYRING });
    await keys.save("openai", KEY);
    await Deno.chmod(`${folder}/api_keys.json`, 0o640);
    const fault = await faultOf(keys.find("openai"));
    assert.match(fault.message, /others may read the file\. Run 'chmod 600'/);
    await Deno.remove(folder, { recursive: true });
  },
});

Deno.test("a broken file of keys is told without a word of what is in it", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/api_keys.json`, `{"openai": ${KEY}`, { mode: 0o600 });
  const fault = await faultOf(new Keys({ folder, keyring: NO_KEYRING }).find("openai"));
  assert.equal(fault.code, "no_model");
  assert.ok(!Deno.inspect(fault).includes("0123"));
  await Deno.remove(folder, { recursive: true });
});

Deno.test("the keyring of this machine, if there is one, never fails", async () => {
  const keyring = systemKeyring({});
  const entry = { service: `saber-test-${crypto.randomUUID()}`, account: "test" };
  const saved = await keyring.save(entry, KEY);
  assert.equal(await keyring.find(entry), saved ? KEY : undefined);
  assert.equal(await keyring.remove(entry), saved);
  assert.equal(await keyring.find(entry), undefined);
});

Deno.test("a key file holds one key and nothing else", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/key`;
  const write = (text: string) => Deno.writeTextFile(path, text);
  await write(`  ${KEY}\n`);
  assert.equal(await readKeyFile(path), KEY);
  for (const text of ["", "  \n", "two words", "x".repeat(17 << 10)]) {
    await write(text);
    await assert.rejects(readKeyFile(path), (error) => error instanceof Fault && error.code === "usage");
  }
  assert.match((await faultOf(readKeyFile(`${folder}/absent`))).message, /it is not there/);
  await Deno.remove(folder, { recursive: true });
});
