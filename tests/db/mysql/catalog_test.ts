/**
 * What the catalogue tells of MariaDB's own kinds of tables, columns, keys and indexes.
 */
import assert from "node:assert/strict";
import type { ColumnDetail, Database, TableDetail } from "../../../src/db/driver.ts";
import { AdminClient, READER, sharedMariadb } from "../../support/mariadb_server.ts";
import { withMysql } from "../../support/mysql_database.ts";

const server = await sharedMariadb();
const signal = new AbortController().signal;
const target = { database: "catalog" };

const admin = new AdminClient(server, "mysql");
await admin.run(
  "DROP DATABASE IF EXISTS catalog",
  "CREATE DATABASE catalog CHARACTER SET utf8mb4",
  "CREATE DATABASE catalog_other CHARACTER SET utf8mb4",
  "USE catalog",
  `CREATE TABLE kinds (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY COMMENT 'the key',
    a INT(5) ZEROFILL, b TINYINT(1) NOT NULL DEFAULT 1, c DECIMAL(10,2) NOT NULL DEFAULT 0.50, d FLOAT, e DOUBLE UNSIGNED,
    f VARCHAR(20) NOT NULL DEFAULT 'it''s "x"', g CHAR(3) DEFAULT NULL, h TEXT, i ENUM('a','b''c') DEFAULT 'a',
    j SET('x','y'), k DATETIME(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6), l TIMESTAMP NULL, m DATE,
    n TIME(3), o YEAR, p BIT(8) DEFAULT b'101', q BLOB, r BINARY(16), s JSON, t GEOMETRY, u UUID, v INET6,
    w INT GENERATED ALWAYS AS (a + 1) STORED, x VARCHAR(30) AS (CONCAT(f, '!')) VIRTUAL, y LONGTEXT COLLATE utf8mb4_bin,
    z VARCHAR(10) CHARACTER SET latin1
  ) COMMENT = 'every ''kind'''`,
  "CREATE TABLE parent (x INT, y VARCHAR(10), PRIMARY KEY (y, x))",
  `CREATE TABLE child (id INT PRIMARY KEY, px INT, py VARCHAR(10), body TEXT, code VARCHAR(50), self INT,
    CONSTRAINT to_parent FOREIGN KEY (py, px) REFERENCES parent (y, x), CONSTRAINT to_self FOREIGN KEY (self) REFERENCES child (id),
    UNIQUE KEY by_code (code DESC, px), KEY by_start (body(20), code), FULLTEXT KEY by_words (body))`,
  "CREATE TABLE parted (a INT) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN MAXVALUE)",
  "CREATE TABLE versioned (a INT) WITH SYSTEM VERSIONING",
  "CREATE SEQUENCE hidden_sequence",
  "CREATE VIEW seen AS SELECT id, f AS label FROM kinds",
  "CREATE TABLE counted (a INT) ENGINE = Aria",
  "INSERT INTO counted VALUES (1), (2), (3)",
  "CREATE TABLE catalog_other.elsewhere (a INT)",
  "CREATE TABLE catalog_other.pointing (a INT PRIMARY KEY, x INT, y VARCHAR(10), FOREIGN KEY (y, x) REFERENCES catalog.parent (y, x))",
);
admin.end();

async function describe(database: Database, pattern: string): Promise<TableDetail> {
  const [table, ...others] = await database.describe({ pattern, signal });
  assert(table !== undefined && others.length === 0, pattern);
  return table;
}

Deno.test("tables, views and their kinds; sequences are none", async () => {
  await withMysql({ server, target }, async (database) => {
    const tables = await database.tables({ signal });
    assert.deepEqual(tables.map(({ schema, name, kind }) => `${schema}.${name}: ${kind}`), [
      "catalog.child: table",
      "catalog.counted: table",
      "catalog.kinds: table",
      "catalog.parent: table",
      "catalog.parted: partitioned table",
      "catalog.seen: view",
      "catalog.versioned: table",
    ]);
    const byName = new Map(tables.map((table) => [table.name, table]));
    assert.equal(byName.get("kinds")?.comment, "every 'kind'");
    assert.equal(byName.get("counted")?.rowEstimate, 3);
    assert.equal(byName.get("seen")?.comment, undefined);
    assert.equal(byName.get("seen")?.rowEstimate, undefined);
  });
});

const KINDS: readonly ColumnDetail[] = [
  { name: "id", type: "bigint unsigned", nullable: false, generated: "identity", comment: "the key" },
  { name: "a", type: "int(5) unsigned zerofill", nullable: true },
  { name: "b", type: "tinyint(1)", nullable: false, default: "1" },
  { name: "c", type: "decimal(10,2)", nullable: false, default: "0.50" },
  { name: "d", type: "float", nullable: true },
  { name: "e", type: "double unsigned", nullable: true },
  { name: "f", type: "varchar(20)", nullable: false, default: "'it''s \"x\"'" },
  { name: "g", type: "char(3)", nullable: true },
  { name: "h", type: "text", nullable: true },
  { name: "i", type: "enum('a','b''c')", nullable: true, default: "'a'" },
  { name: "j", type: "set('x','y')", nullable: true },
  { name: "k", type: "datetime(6)", nullable: true, default: "current_timestamp(6)" },
  { name: "l", type: "timestamp", nullable: true },
  { name: "m", type: "date", nullable: true },
  { name: "n", type: "time(3)", nullable: true },
  { name: "o", type: "year", nullable: true },
  { name: "p", type: "bit(8)", nullable: true, default: "b'101'" },
  { name: "q", type: "blob", nullable: true },
  { name: "r", type: "binary(16)", nullable: true },
  { name: "s", type: "json", nullable: true },
  { name: "t", type: "geometry", nullable: true },
  { name: "u", type: "uuid", nullable: true },
  { name: "v", type: "inet6", nullable: true },
  { name: "w", type: "int", nullable: true, generated: "`a` + 1" },
  { name: "x", type: "varchar(30)", nullable: true, generated: "concat(`f`,'!')" },
  { name: "y", type: "longtext", nullable: true },
  { name: "z", type: "varchar(10)", nullable: true },
];

Deno.test("columns with their types as they are written, defaults, generated values and comments", async () => {
  await withMysql({ server, target }, async (database) => {
    const { columns, primaryKey } = await describe(database, "kinds");
    assert.deepEqual(columns, KINDS);
    assert.deepEqual(primaryKey, ["id"]);
    assert.deepEqual((await describe(database, "seen")).columns.map(({ name, type }) => [name, type]), [
      ["id", "bigint unsigned"],
      ["label", "varchar(20)"],
    ]);
  });
});

Deno.test("keys in their order, foreign keys paired by column, indexes of every kind", async () => {
  await withMysql({ server, target }, async (database) => {
    assert.deepEqual((await describe(database, "parent")).primaryKey, ["y", "x"]);
    const { foreignKeys, indexes } = await describe(database, "child");
    assert.deepEqual(foreignKeys, [
      { columns: ["py", "px"], references: { schema: "catalog", table: "parent", columns: ["y", "x"] } },
      { columns: ["self"], references: { schema: "catalog", table: "child", columns: ["id"] } },
    ]);
    assert.deepEqual(indexes, [
      { name: "by_code", columns: ["code DESC", "px"], unique: true, method: "btree" },
      { name: "by_start", columns: ["body(20)", "code"], unique: false, method: "btree" },
      { name: "by_words", columns: ["body"], unique: false, method: "fulltext" },
      { name: "to_parent", columns: ["py", "px"], unique: false, method: "btree" },
      { name: "to_self", columns: ["self"], unique: false, method: "btree" },
    ]);
  });
});

Deno.test("a DSN with a database shows that alone, one without shows all but the server's own and the excluded", async () => {
  const schemas = async (
    database: Database,
  ) => [...new Set((await database.tables({ signal })).map(({ schema }) => schema))];
  await withMysql({ server, target: { database: "catalog_other" } }, async (database) => {
    assert.deepEqual(await schemas(database), ["catalog_other"]);
    const { foreignKeys } = await describe(database, "pointing");
    assert.deepEqual(foreignKeys[0]?.references, { schema: "catalog", table: "parent", columns: ["y", "x"] });
  });
  await withMysql({ server, target: { database: undefined, excludeSchemas: ["shop"] } }, async (database) => {
    const found = await schemas(database);
    assert(found.includes("catalog") && found.includes("catalog_other"));
    for (const hidden of ["mysql", "information_schema", "performance_schema", "sys", "shop"]) {
      assert(!found.includes(hidden), hidden);
    }
    assert.deepEqual((await database.tables({ pattern: "catalog%.p%", signal })).map(({ name }) => name), [
      "parent",
      "parted",
      "pointing",
    ]);
  });
  await withMysql({ server, login: READER, target: { database: undefined } }, async (database) => {
    assert.deepEqual(await schemas(database), ["shop"]);
  });
  await withMysql({ server, target: { database: "mysql" } }, async (database) => {
    assert.deepEqual(await schemas(database), ["mysql"]);
  });
});

Deno.test("the shop's strange names", async () => {
  await withMysql({ server, login: READER }, async (database) => {
    const { columns, primaryKey } = await describe(database, 'shop.Weird "Name" - ünï');
    assert.deepEqual(primaryKey, ["Id", "select"]);
    assert.deepEqual(columns.map(({ name }) => name).slice(3), [
      'quo"ted',
      "it's",
      "back`tick",
      "dotted.name",
      "ÜNÏ-çødé 名",
      "100%",
      "; DROP TABLE customers; --",
    ]);
  });
});
