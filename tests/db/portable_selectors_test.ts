import assert from "node:assert/strict";
import { portableSelectors } from "../../src/db/portable_selectors.ts";
import type { ResolveOptions } from "../../src/db/resolve.ts";
import type { SavedConnection } from "../../src/db/saved.ts";
import { makeFile } from "../support/sqlite_file.ts";

Deno.test("what is relative to a folder becomes absolute, and everything else stays", async () => {
  await using file = await makeFile("CREATE TABLE t (a)", { name: "shop.db" });
  const { folder } = file;
  await Deno.writeTextFile(`${folder}/a.csv`, "x\n1\n");
  await Deno.writeTextFile(`${folder}/b c.csv`, "x\n1\n");
  await Deno.writeTextFile(`${folder}/50%20?.csv`, "x\n1\n");
  const options: ResolveOptions = {
    cwd: folder,
    home: folder,
    environment: { PGPASSWORD: "hidden" },
    saved: { find: () => Promise.resolve(undefined), defaultName: () => Promise.resolve(undefined) },
  };
  const cases: readonly (readonly [given: string, portable: string])[] = [
    ["shop.db", `${folder}/shop.db`],
    ["./shop.db", `${folder}/shop.db`],
    ["~/shop.db", `${folder}/shop.db`],
    [`${folder}/shop.db`, `${folder}/shop.db`],
    ["sqlite:///shop.db", `sqlite:${folder}/shop.db`],
    [`sqlite:///${folder}/shop.db`, `sqlite:${folder}/shop.db`],
    ["sqlite:///:memory:", "sqlite:///:memory:"],
    ["csv:///a.csv?delimiter=%3B&header=false", `csv:${folder}/a.csv?delimiter=%3B&header=false`],
    ["csv:b c.csv", `csv:${folder}/b c.csv`],
    ["csv:50%2520%3F.csv", `csv:${folder}/50%2520%3F.csv`],
    [
      `csvs:///?spec=${encodeURIComponent("csv:///a.csv?header=true")}&spec=csv:b%20c.csv`,
      `csvs:///?spec=${encodeURIComponent(`csv:${folder}/a.csv?header=true`)}&spec=${
        encodeURIComponent(`csv:${folder}/b c.csv`)
      }`,
    ],
    ["postgres://reader@localhost/shop?sslmode=disable", "postgres://reader@localhost/shop?sslmode=disable"],
    ["mariadb://reader@localhost/shop", "mariadb://reader@localhost/shop"],
  ];
  for (const [given, portable] of cases) {
    assert.deepEqual(await portableSelectors([given], options), [portable]);
    assert.deepEqual(await portableSelectors([portable], { ...options, cwd: "/" }), [portable]);
  }
  const withPassword = portableSelectors(["postgres://reader:secret@localhost/shop"], options);
  await assert.rejects(withPassword, { code: "usage" });
  await assert.rejects(portableSelectors([], options), { code: "no_database" });
  await assert.rejects(portableSelectors(["missing.db"], options), { code: "bad_target" });
});

Deno.test("saved connections stay names", async () => {
  const shop: SavedConnection = {
    name: "shop",
    type: "postgresql",
    host: "localhost",
    database: "shop",
    password: "hidden",
    tls: {},
    csv: [],
    excludeSchemas: [],
  };
  const saved = {
    find: (name: string) => Promise.resolve(name === "shop" ? shop : undefined),
    defaultName: () => Promise.resolve("shop"),
  };
  assert.deepEqual(await portableSelectors(["shop"], { cwd: "/", saved }), ["shop"]);
  assert.deepEqual(await portableSelectors([], { cwd: "/", saved }), []);
});
