/**
 * `saber plugin` on MariaDB.
 */
import { pluginDefinitions } from "../../suites/plugin_definitions.ts";
import { pluginMethods } from "../../suites/plugin_methods.ts";
import { pluginRecords } from "../../suites/plugin_records.ts";
import { pluginSessions } from "../../suites/plugin_sessions.ts";
import { MYSQL_TYPES } from "../../suites/plugin_types.ts";
import { pluginUsers } from "../../suites/plugin_users.ts";
import type { PluginFixture } from "../../suites/plugin_fixture.ts";
import { ADMIN, runningStatements, sharedMariadb } from "../../support/mariadb_server.ts";

const server = await sharedMariadb();

function make(): Promise<PluginFixture> {
  const database = `plugin_${crypto.randomUUID().slice(0, 8)}`;
  return Promise.resolve({
    driver: "saber-mysql",
    params: {
      driver: "saber-mysql",
      host: "127.0.0.1",
      port: server.port,
      username: ADMIN.user,
      password: ADMIN.password,
      database: "shop",
      ssl_mode: "required",
    },
    create: [`CREATE DATABASE ${database} CHARACTER SET utf8mb4`],
    schema: database,
    setup: [
      "CREATE TABLE item (id int PRIMARY KEY, name varchar(100) NOT NULL DEFAULT 'none')",
      `CREATE TABLE part (a int, b varchar(10), item_id int, PRIMARY KEY (a, b),
        CONSTRAINT part_item FOREIGN KEY (item_id) REFERENCES item (id) ON DELETE CASCADE)`,
      "CREATE INDEX part_b ON part (b)",
      "CREATE VIEW seen AS SELECT id, name FROM item",
      "CREATE FUNCTION twice(n int) RETURNS int DETERMINISTIC RETURN n * 2",
      "CREATE TRIGGER watch AFTER UPDATE ON item FOR EACH ROW BEGIN SET @a = 1; SET @b = 2; END",
    ],
    cleanup: [`DROP DATABASE ${database}`],
    slowQuery: "SELECT SLEEP(600)",
    types: MYSQL_TYPES,
    userHost: "localhost",
    newTrigger: "CREATE TRIGGER watch AFTER UPDATE ON item FOR EACH ROW BEGIN SET @a = 1; SET @b = 2; END",
    blobType: "MEDIUMBLOB",
    has: {
      triggers: true,
      routines: true,
      foreignKeyNames: true,
      concurrentWriters: true,
      errorsEndTransactions: false,
    },
    runningQueries: async () =>
      (await runningStatements(server)).filter((sql) => sql.includes("SLEEP(600)")).length,
    dispose: () => Promise.resolve(),
  });
}

pluginMethods("MariaDB", make);
pluginSessions("MariaDB", make);
pluginRecords("MariaDB", make);
pluginDefinitions("MariaDB", make);
pluginUsers("MariaDB", make);
