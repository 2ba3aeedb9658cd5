/**
 * `saber plugin` on DuckDB.
 */
import { DuckDBInstance } from "@duckdb/node-api";
import { pluginDefinitions } from "../../suites/plugin_definitions.ts";
import { pluginMethods } from "../../suites/plugin_methods.ts";
import { pluginRecords } from "../../suites/plugin_records.ts";
import { pluginSessions } from "../../suites/plugin_sessions.ts";
import { DUCKDB_TYPES } from "../../suites/plugin_types.ts";
import type { PluginFixture } from "../../suites/plugin_fixture.ts";

async function make(): Promise<PluginFixture> {
  const folder = await Deno.makeTempDir({ prefix: "saber-plugin-duckdb-" });
  const database = `${folder}/test.duckdb`;
  (await DuckDBInstance.create(database)).closeSync();
  return {
    driver: "saber-duckdb",
    params: { driver: "saber-duckdb", database, connection_id: "c1" },
    create: [],
    schema: "main",
    setup: [
      "CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL DEFAULT 'none')",
      "CREATE TABLE part (a INTEGER, b VARCHAR, item_id INTEGER REFERENCES item (id), PRIMARY KEY (a, b))",
      "CREATE INDEX part_b ON part (b)",
      "CREATE VIEW seen AS SELECT id, name FROM item",
    ],
    cleanup: [],
    slowQuery: "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range * b.range = 7",
    types: DUCKDB_TYPES,
    userHost: "",
    newTrigger: "",
    blobType: "BLOB",
    has: {
      triggers: false,
      routines: false,
      foreignKeyNames: false,
      concurrentWriters: true,
      errorsEndTransactions: false,
    },
    dispose: () => Deno.remove(folder, { recursive: true }),
  };
}

pluginMethods("DuckDB", make);
pluginSessions("DuckDB", make);
pluginRecords("DuckDB", make);
pluginDefinitions("DuckDB", make);
