/**
 * `saber plugin` on SQLite.
 */
import { pluginDefinitions } from "../../suites/plugin_definitions.ts";
import { pluginMethods } from "../../suites/plugin_methods.ts";
import { pluginRecords } from "../../suites/plugin_records.ts";
import { pluginSessions } from "../../suites/plugin_sessions.ts";
import { SQLITE_TYPES } from "../../suites/plugin_types.ts";
import { makeFile } from "../../support/sqlite_file.ts";

async function make() {
  const file = await makeFile("CREATE TABLE empty (x)");
  return {
    driver: "saber-sqlite",
    params: { driver: "saber-sqlite", database: file.path, host: null, port: null, connection_id: "c1" },
    schema: null,
    create: [],
    setup: [
      "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'none')",
      "CREATE TABLE part (a INTEGER, b TEXT, item_id INTEGER REFERENCES item (id) ON DELETE CASCADE, PRIMARY KEY (a, b))",
      "CREATE INDEX part_b ON part (b)",
      "CREATE VIEW seen AS SELECT id, name FROM item",
      "CREATE TRIGGER watch AFTER UPDATE ON item BEGIN SELECT 1; SELECT 2; END",
    ],
    cleanup: [],
    slowQuery: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
    types: SQLITE_TYPES,
    userHost: "",
    newTrigger: "CREATE TRIGGER watch AFTER UPDATE ON item BEGIN SELECT 1; SELECT 2; END",
    blobType: "BLOB",
    has: {
      triggers: true,
      routines: false,
      foreignKeyNames: false,
      concurrentWriters: false,
      errorsEndTransactions: false,
    },
    dispose: () => file[Symbol.asyncDispose](),
  };
}

pluginMethods("SQLite", make);
pluginSessions("SQLite", make);
pluginRecords("SQLite", make);
pluginDefinitions("SQLite", make);
