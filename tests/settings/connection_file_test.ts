/**
 * Changes to the file of saved connections: the place that changes, and nothing else.
 */
import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import { ConnectionFile, type WrittenConnection } from "../../src/settings/connection_file.ts";
import type { Entry, Keyring } from "../../src/settings/keyring.ts";
import { Passwords } from "../../src/settings/passwords.ts";
import { parseServerAddress } from "../../src/settings/server_address.ts";

const PYTHON = await Deno.readTextFile(
  new URL("../../fixtures/python/database_config.json", import.meta.url),
);

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(`${folder}/sqlsaber`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function withPythonFile(test: (file: ConnectionFile) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await Deno.mkdir(folder);
    const file = new ConnectionFile(folder);
    await Deno.writeTextFile(file.path, PYTHON);
    await test(file);
  });
}

const SHOP: WrittenConnection = {
  name: "shop",
  type: "sqlite",
  host: "localhost",
  port: 0,
  database: "/data/shop.db",
  username: "sqlite",
  ssl_mode: null,
  ssl_ca: null,
  ssl_cert: null,
  ssl_key: null,
  schema: null,
  exclude_schemas: [],
  description: null,
};

Deno.test("each change writes one place of the Python program's file", async () => {
  await withPythonFile(async (file) => {
    await file.setDefault("sheet");
    const moved = PYTHON.replace('"default": "analytics"', '"default": "sheet"');
    assert.equal(await Deno.readTextFile(file.path), moved);
    await file.setDefault("analytics");
    assert.equal(await Deno.readTextFile(file.path), PYTHON);

    assert.deepEqual(await file.setExcluded("sheet", (before) => [...before, "a"]), ["a"]);
    await file.setExcluded("sheet", () => []);
    assert.equal(await Deno.readTextFile(file.path), PYTHON);

    await file.add(SHOP);
    const added = await Deno.readTextFile(file.path);
    const written = JSON.stringify({ shop: SHOP }, null, 2).split("\n").slice(1, -1).map((line) =>
      `  ${line}`
    ).join("\n");
    assert.equal(
      added,
      PYTHON.replace('"description": null\n    }\n', `"description": null\n    },\n${written}\n`),
    );
    await file.remove("shop");
    assert.equal(await Deno.readTextFile(file.path), PYTHON);
  });
});

Deno.test("removing the default promotes the first of the others", async () => {
  await withPythonFile(async (file) => {
    await file.remove("analytics");
    assert.equal((await file.read()).default, "sheet");
    await file.remove("sheet");
    assert.equal((await file.read()).default, null);
    await file.add(SHOP);
    assert.equal((await file.read()).default, "shop");
  });
});

Deno.test("what cannot be changed leaves the file as it was", async () => {
  await withPythonFile(async (file) => {
    const failing = [
      () => file.add({ ...SHOP, name: "sheet" }),
      () => file.remove("none"),
      () => file.setDefault("constructor"),
      () => file.setExcluded("none", () => []),
    ];
    for (const change of failing) await assert.rejects(change, Fault);
    assert.equal(await Deno.readTextFile(file.path), PYTHON);
    await Deno.writeTextFile(file.path, "{");
    await assert.rejects(() => file.add(SHOP), /not in the form that saber writes/);
    assert.equal(await Deno.readTextFile(file.path), "{");
  });
});

Deno.test(
  { name: "files and their folder are their owner's alone", ignore: Deno.build.os === "windows" },
  async () => {
    await withFolder(async (folder) => {
      const file = new ConnectionFile(folder);
      await file.add(SHOP);
      const passwords = new Passwords({ folder, keyring: keyring(false) });
      await passwords.set({ name: "a", user: "joe" }, "s x");
      assert.equal(await passwords.find({ name: "a", user: "joe" }), "s x");
      assert.equal(await passwords.find({ name: "a", user: "constructor" }), undefined);
      const modes = [folder, file.path, `${folder}/database_passwords.json`].map((path) =>
        Deno.statSync(path).mode
      );
      assert.deepEqual(modes.map((mode) => (mode ?? 0) & 0o777), [0o700, 0o600, 0o600]);
      await passwords.remove({ name: "a", user: "joe" });
      assert.equal(await passwords.find({ name: "a", user: "joe" }), undefined);
    });
  },
);

/** A keyring in memory, or what a machine without one has. */
function keyring(isThere: boolean): Keyring & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>();
  const keyOf = ({ service, account }: Entry) => `${service} ${account}`;
  return {
    entries,
    find: (entry) => Promise.resolve(entries.get(keyOf(entry))),
    save: (entry, secret) => Promise.resolve(isThere && entries.set(keyOf(entry), secret).size > 0),
    remove: (entry) => Promise.resolve(entries.delete(keyOf(entry))),
  };
}

Deno.test("passwords are in the keyring where there is one, where the Python program looks", async () => {
  await withFolder(async (folder) => {
    const account = { name: "pg", user: "joe" };
    const file = new Passwords({ folder, keyring: keyring(false) });
    await file.set(account, "old");
    const ring = keyring(true);
    const passwords = new Passwords({ folder, keyring: ring });
    assert.equal(await passwords.find(account), "old");
    await passwords.set(account, "new");
    assert.deepEqual([...ring.entries], [["sqlsaber pg_joe", "new"]]);
    assert.equal(await file.find(account), undefined);
    assert.equal(await passwords.find(account), "new");
    await passwords.remove(account);
    assert.equal(await passwords.find(account), undefined);
  });
});

Deno.test("addresses are taken apart, or refused without being repeated", () => {
  assert.deepEqual(
    parseServerAddress("postgresql://joe:p%40ss@[::1]:6543/sales%20x?sslmode=require&sslrootcert=/ca.pem"),
    {
      type: "postgresql",
      host: "::1",
      port: 6543,
      database: "sales x",
      user: "joe",
      password: "p@ss",
      ssl: { mode: "require", ca: "/ca.pem" },
    },
  );
  assert.equal(parseServerAddress("mariadb://h/d")?.port, 3306);
  assert.equal(parseServerAddress("shop.db"), undefined);
  for (
    const address of [
      "postgres:///secret",
      "mysql://u:secret%zz@h/d",
      "postgres://secret@h/d?fallback=secret",
    ]
  ) {
    assert.throws(
      () => parseServerAddress(address),
      (error) => error instanceof Fault && !error.message.includes("secret"),
    );
  }
});
