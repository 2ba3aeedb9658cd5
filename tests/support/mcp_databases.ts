/**
 * Real databases for servers in this process: the shop on SQLite under several names, and a server that nobody runs.
 */
import { Databases } from "../../src/db/databases.ts";
import type { Target } from "../../src/db/driver.ts";
import { ENGINES } from "../../src/db/registry.ts";
import { shop } from "./shop.ts";

export async function shops(...names: string[]): Promise<Databases> {
  const path = await shop("sqlite");
  return open(names.map((name): Target => ({ engine: "sqlite", name, path, excludeSchemas: [] })));
}

/** The shop as "shop", and "away", to which no connection is made. */
export async function shopAndAway(): Promise<Databases> {
  const path = await shop("sqlite");
  return open([
    { engine: "sqlite", name: "shop", path, excludeSchemas: [] },
    {
      engine: "postgres",
      name: "away",
      hosts: [{ host: "127.0.0.1", port: 1 }],
      user: "reader",
      password: "not-for-any-answer",
      tls: { mode: "disable" },
      excludeSchemas: [],
    },
  ]);
}

function open(targets: readonly Target[]): Databases {
  return new Databases(targets, { engines: ENGINES, access: "read", timeoutMs: 10_000 });
}
