import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import { Databases } from "../../src/db/databases.ts";
import type { Database, Target } from "../../src/db/driver.ts";
import type { Engines } from "../../src/db/registry.ts";
import type { DatabaseSet } from "../../src/tools/tool.ts";
import { SQLITE_DIALECT } from "../support/dialects.ts";
import { SOON_MS } from "../support/patience.ts";

const OPTIONS = { access: "read", timeoutMs: 1000 } as const;

function target(name: string, engine: "sqlite" | "duckdb" = "sqlite"): Target {
  return { engine, name, excludeSchemas: [], path: ":memory:" };
}

/** An engine without data, which records what is asked of it and fails or hangs as told. */
function engine(tell: { failures?: number; hang?: "open" | "close" } = {}) {
  const log: string[] = [];
  let failures = tell.failures ?? 0;
  const never = new Promise<never>(() => {});
  const database = (name: string): Database => ({
    dialect: SQLITE_DIALECT,
    run: () => Promise.reject(new Fault("internal", "not used")),
    tables: () => Promise.resolve([{ schema: "main", name, kind: "table" }]),
    describe: () => Promise.resolve([]),
    close: () => {
      log.push(`close ${name}`);
      return tell.hang === "close" ? never : Promise.resolve();
    },
  });
  const engines: Engines = {
    sqlite: {
      displayName: "SQLite",
      dialect: "sqlite",
      needs: [],
      load: () =>
        Promise.resolve({
          driver: {
            async open(target) {
              log.push(`open ${target.name}`);
              await (tell.hang === "open" ? never : Promise.resolve());
              if (failures-- > 0) throw new Fault("unreachable", "Cannot open it: no luck.");
              return database(target.name);
            },
          },
        }),
    },
  };
  return { log, engines };
}

async function tablesOf(databases: Databases, name: string): Promise<string | undefined> {
  const tables = await (await databases.get(name)).tables({ signal: new AbortController().signal });
  return tables[0]?.name;
}

Deno.test("the list is known, in order, before anything is opened", () => {
  const { log, engines } = engine();
  const targets: Target[] = [{ ...target("b"), description: "Second letter" }, target("a")];
  // The type says that tools can use it as their set of databases.
  const set: DatabaseSet = new Databases(targets, { ...OPTIONS, engines });
  assert.deepEqual(set.list, [
    { name: "b", dialect: "sqlite", displayName: "SQLite", description: "Second letter" },
    { name: "a", dialect: "sqlite", displayName: "SQLite", description: null },
  ]);
  assert.deepEqual(log, []);
});

Deno.test("each database is opened once, at its first use, also by calls that overlap", async () => {
  const { log, engines } = engine();
  const databases = new Databases([target("a"), target("b")], { ...OPTIONS, engines });
  const found = await Promise.all(["a", "b", "a", "a"].map((name) => tablesOf(databases, name)));
  assert.deepEqual(found, ["a", "b", "a", "a"]);
  assert.equal(await databases.get("a"), await databases.get("a"));
  assert.deepEqual(log, ["open a", "open b"]);
  await databases.close();
  assert.deepEqual(log, ["open a", "open b", "close a", "close b"]);
});

Deno.test("a failed opening fails everyone who waited and is tried again by the next call", async () => {
  const { log, engines } = engine({ failures: 1 });
  const databases = new Databases([target("a")], { ...OPTIONS, engines });
  const results = await Promise.allSettled([databases.get("a"), databases.get("a")]);
  assert.deepEqual(results.map((result) => result.status), ["rejected", "rejected"]);
  assert.equal(await tablesOf(databases, "a"), "a");
  assert.deepEqual(log, ["open a", "open a"]);
  await databases.close();
});

Deno.test("an unknown name, a closed set and an engine that this build lacks are clear faults", async () => {
  const { engines } = engine();
  const databases = new Databases([target("a"), target("b c")], { ...OPTIONS, engines });
  await assert.rejects(databases.get("x"), {
    code: "unknown_database",
    message: 'Cannot use the database "x": selected are "a", "b c".',
  });
  await databases.close();
  await assert.rejects(databases.get("a"), { code: "closed" });
  assert.throws(() => new Databases([target("a", "duckdb")], { ...OPTIONS, engines }), {
    code: "bad_target",
    message: "Cannot use the database: duckdb is not supported by this build.",
  });
});

Deno.test("closing takes a second at most, whatever hangs", async () => {
  for (const hang of ["open", "close"] as const) {
    const { engines } = engine({ hang });
    const databases = new Databases([target("a"), target("b")], { ...OPTIONS, engines });
    const gets = [databases.get("a"), databases.get("b")];
    if (hang === "close") await Promise.all(gets);
    const start = performance.now();
    await databases.close();
    const took = performance.now() - start;
    assert.ok(took > 900 && took < SOON_MS, `${hang}: ${took} ms`);
  }
});

Deno.test("a database that is still being opened is closed too", async () => {
  const { log, engines } = engine();
  const databases = new Databases([target("a")], { ...OPTIONS, engines });
  const getting = databases.get("a");
  await databases.close();
  await getting;
  assert.deepEqual(log, ["open a", "close a"]);
});
