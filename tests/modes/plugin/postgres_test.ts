/**
 * `saber plugin` on PostgreSQL.
 */
import { pluginDefinitions } from "../../suites/plugin_definitions.ts";
import { pluginMethods } from "../../suites/plugin_methods.ts";
import { pluginRecords } from "../../suites/plugin_records.ts";
import { pluginSessions } from "../../suites/plugin_sessions.ts";
import { POSTGRES_TYPES } from "../../suites/plugin_types.ts";
import { pluginUsers } from "../../suites/plugin_users.ts";
import type { PluginFixture } from "../../suites/plugin_fixture.ts";
import { createDatabase } from "../../support/postgres_database.ts";
import { ADMIN, adminClient, sharedPostgres } from "../../support/postgres_server.ts";

const server = await sharedPostgres(18);

async function make(): Promise<PluginFixture> {
  const database = await createDatabase(server, []);
  return {
    driver: "saber-postgres",
    params: {
      driver: "saber-postgres",
      host: "127.0.0.1",
      port: server.port,
      username: ADMIN.user,
      password: ADMIN.password,
      database: database.name,
      ssl_mode: "require",
    },
    schema: "shelf",
    create: ["CREATE SCHEMA shelf"],
    setup: [
      "CREATE TYPE mood AS ENUM ('so so', 'fine', 'good')",
      "CREATE TYPE pair AS (x integer, y text)",
      "CREATE TYPE nested AS (p pair, list integer[], bytes bytea, doc jsonb)",
      "CREATE DOMAIN positive AS integer CHECK (VALUE > 0)",
      "CREATE TABLE item (id integer PRIMARY KEY, name text NOT NULL DEFAULT 'none')",
      `CREATE TABLE part (a integer, b text, item_id integer CONSTRAINT part_item REFERENCES item (id) ON DELETE CASCADE,
        PRIMARY KEY (a, b))`,
      "CREATE INDEX part_b ON part (b)",
      "CREATE VIEW seen AS SELECT id, name FROM item",
      "CREATE FUNCTION twice(n integer) RETURNS integer LANGUAGE sql AS 'SELECT n * 2'",
      "CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$",
      "CREATE TRIGGER watch AFTER UPDATE ON item FOR EACH ROW EXECUTE FUNCTION look()",
    ],
    cleanup: [],
    slowQuery: "SELECT pg_sleep(600)",
    types: POSTGRES_TYPES,
    userHost: "",
    newTrigger:
      "CREATE OR REPLACE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$; " +
      "CREATE TRIGGER watch AFTER UPDATE ON item FOR EACH ROW EXECUTE FUNCTION look()",
    blobType: "bytea",
    has: {
      triggers: true,
      routines: true,
      foreignKeyNames: true,
      concurrentWriters: true,
      errorsEndTransactions: true,
    },
    runningQueries: async () => {
      const admin = adminClient(server, "postgres");
      const [row] = await admin`SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = ${database.name} AND state = 'active' AND query LIKE 'SELECT pg_sleep%'`;
      await admin.end();
      return Number(row?.n);
    },
    dispose: database.drop,
  };
}

pluginMethods("PostgreSQL", make);
pluginSessions("PostgreSQL", make);
pluginRecords("PostgreSQL", make);
pluginDefinitions("PostgreSQL", make);
pluginUsers("PostgreSQL", make);
