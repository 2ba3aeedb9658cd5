/**
 * What each type of MariaDB becomes, read from real columns and from expressions.
 */
import assert from "node:assert/strict";
import { type Cell, Decimal, JsonText } from "../../../src/db/values.ts";
import { AdminClient, sharedMariadb } from "../../support/mariadb_server.ts";
import { ask, withMysql } from "../../support/mysql_database.ts";

const server = await sharedMariadb();
const target = { database: "types" };

interface Sample {
  /** As in CREATE TABLE. */
  readonly type: string;
  /** SQL for the value. */
  readonly value: string;
  readonly cell: Cell;
  /** Of the column; the first word of `type` where left out. */
  readonly name?: string;
}

const bytes = (...values: number[]) => new Uint8Array(values);
const decimal = (text: string) => new Decimal(text);

const SAMPLES: readonly Sample[] = [
  { type: "tinyint", value: "-128", cell: -128 },
  { type: "tinyint unsigned", value: "255", cell: 255, name: "tinyint unsigned" },
  { type: "boolean", value: "TRUE", cell: 1, name: "tinyint" },
  { type: "smallint", value: "-32768", cell: -32768 },
  { type: "smallint unsigned", value: "65535", cell: 65535, name: "smallint unsigned" },
  { type: "mediumint", value: "-8388608", cell: -8388608 },
  { type: "mediumint unsigned", value: "16777215", cell: 16777215, name: "mediumint unsigned" },
  { type: "int", value: "-2147483648", cell: -2147483648 },
  { type: "int unsigned", value: "4294967295", cell: 4294967295, name: "int unsigned" },
  { type: "int(6) zerofill", value: "42", cell: 42, name: "int unsigned" },
  { type: "bigint", value: "9007199254740991", cell: 9007199254740991 },
  { type: "bigint", value: "-9007199254740991", cell: -9007199254740991 },
  { type: "bigint", value: "9007199254740992", cell: 9007199254740992n },
  { type: "bigint", value: "9007199254740993", cell: 9007199254740993n },
  { type: "bigint", value: "-9223372036854775808", cell: -9223372036854775808n },
  {
    type: "bigint unsigned",
    value: "18446744073709551615",
    cell: 18446744073709551615n,
    name: "bigint unsigned",
  },
  {
    type: "decimal(38,10)",
    value: "1234567890123456789012345678.0000000001",
    cell: decimal("1234567890123456789012345678.0000000001"),
    name: "decimal",
  },
  {
    type: "decimal(65,30)",
    value: "-0.000000000000000000000000000001",
    cell: decimal("-0.000000000000000000000000000001"),
    name: "decimal",
  },
  { type: "decimal(10,2)", value: "20", cell: decimal("20.00"), name: "decimal" },
  { type: "decimal(10,2) zerofill", value: "1.5", cell: decimal("1.50"), name: "decimal unsigned" },
  { type: "decimal(5,0) zerofill", value: "0", cell: decimal("0"), name: "decimal unsigned" },
  { type: "float", value: "0.1", cell: 0.1 },
  { type: "float", value: "16777215", cell: 16777215 },
  { type: "float", value: "3.4028235e38", cell: 3.4028235e38 },
  { type: "float", value: "1.17549435e-38", cell: 1.1754944e-38 },
  { type: "float", value: "-7.038531e-26", cell: -7.038531e-26 },
  { type: "double", value: "0.1", cell: 0.1 },
  { type: "double", value: "5e-324", cell: 5e-324 },
  { type: "double", value: "1.7976931348623157e308", cell: 1.7976931348623157e308 },
  { type: "double", value: "1e0/3", cell: 1 / 3 },
  { type: "date", value: "'2024-02-29'", cell: "2024-02-29" },
  { type: "date", value: "'0000-00-00'", cell: "0000-00-00" },
  { type: "date", value: "'2024-00-00'", cell: "2024-00-00" },
  { type: "date", value: "'9999-12-31'", cell: "9999-12-31" },
  { type: "datetime", value: "'2024-01-02 03:04:05'", cell: "2024-01-02T03:04:05" },
  {
    type: "datetime(6)",
    value: "'2024-01-02 03:04:05.123456'",
    cell: "2024-01-02T03:04:05.123456",
    name: "datetime",
  },
  {
    type: "datetime(3)",
    value: "'2024-01-02 03:04:05.12'",
    cell: "2024-01-02T03:04:05.120",
    name: "datetime",
  },
  { type: "datetime", value: "'2024-01-02'", cell: "2024-01-02T00:00:00" },
  { type: "datetime", value: "'0000-00-00 00:00:00'", cell: "0000-00-00 00:00:00" },
  { type: "datetime", value: "'2024-02-00 10:00:00'", cell: "2024-02-00 10:00:00" },
  { type: "timestamp null", value: "'2024-01-02 03:04:05'", cell: "2024-01-02T01:04:05+00:00" },
  {
    type: "timestamp(6) null",
    value: "'2024-07-02 03:04:05.000001'",
    cell: "2024-07-02T01:04:05.000001+00:00",
    name: "timestamp",
  },
  { type: "timestamp null", value: "0", cell: "0000-00-00 00:00:00" },
  { type: "time", value: "'00:00:00'", cell: "00:00:00" },
  { type: "time", value: "'-838:59:59'", cell: "-838:59:59" },
  { type: "time", value: "'25:00:00'", cell: "25:00:00" },
  { type: "time(6)", value: "'-00:00:00.000001'", cell: "-00:00:00.000001", name: "time" },
  { type: "time(2)", value: "'12:34:56.5'", cell: "12:34:56.5", name: "time" },
  { type: "year", value: "1901", cell: 1901 },
  { type: "bit", value: "1", cell: "1" },
  { type: "bit(12)", value: "5", cell: "000000000101", name: "bit" },
  { type: "bit(64)", value: "18446744073709551615", cell: "1".repeat(64), name: "bit" },
  { type: "char(5)", value: "'ab'", cell: "ab", name: "char" },
  { type: "varchar(20) character set latin1", value: "'äöü €'", cell: "äöü €", name: "varchar" },
  { type: "varchar(20) character set utf8mb4", value: "'👩‍👩‍👧 é'", cell: "👩‍👩‍👧 é", name: "varchar" },
  { type: "varchar(20) character set utf16", value: "'日本'", cell: "日本", name: "varchar" },
  { type: "varchar(20) character set utf8mb4 collate utf8mb4_bin", value: "'x'", cell: "x", name: "varchar" },
  { type: "tinytext", value: "''", cell: "", name: "text" },
  { type: "text", value: "'line\\nbreak'", cell: "line\nbreak" },
  { type: "mediumtext", value: "REPEAT('a', 70000)", cell: "a".repeat(70000), name: "text" },
  { type: "longtext", value: "'\\0nul'", cell: "\0nul", name: "text" },
  { type: "binary(3)", value: "x'01'", cell: bytes(1, 0, 0), name: "binary" },
  { type: "varbinary(5)", value: "x'00ff80'", cell: bytes(0, 255, 128), name: "varbinary" },
  { type: "blob", value: "''", cell: bytes() },
  { type: "longblob", value: "x'89504e47'", cell: bytes(0x89, 0x50, 0x4e, 0x47), name: "blob" },
  { type: "enum('a','ü''s')", value: "'ü''s'", cell: "ü's", name: "enum" },
  { type: "set('x','y','z')", value: "'z,x'", cell: "x,z", name: "set" },
  {
    type: "json",
    value: `'{"big": 12345678901234567890, "a": 1}'`,
    cell: new JsonText('{"big": 12345678901234567890, "a": 1}'),
  },
  { type: "json", value: "'null'", cell: new JsonText("null") },
  {
    type: "uuid",
    value: "'0189f7ea-ae2c-7809-8aeb-b819cf5e9e7f'",
    cell: "0189f7ea-ae2c-7809-8aeb-b819cf5e9e7f",
  },
  { type: "inet6", value: "'::1'", cell: "::1" },
  { type: "inet4", value: "'10.0.0.1'", cell: "10.0.0.1" },
];

const EXPRESSIONS: readonly { readonly sql: string; readonly cell: Cell; readonly name: string }[] = [
  { sql: "1", cell: 1, name: "int" },
  { sql: "1.50", cell: decimal("1.50"), name: "decimal" },
  { sql: "-0.5", cell: decimal("-0.5"), name: "decimal" },
  { sql: "SUM(1)", cell: decimal("1"), name: "decimal" },
  { sql: "AVG(2)", cell: decimal("2.0000"), name: "decimal" },
  { sql: "COUNT(*)", cell: 1, name: "bigint" },
  { sql: "18446744073709551615", cell: 18446744073709551615n, name: "bigint unsigned" },
  { sql: "TRUE", cell: 1, name: "int" },
  { sql: "1 = 1", cell: 1, name: "int" },
  { sql: "NULL", cell: null, name: "" },
  { sql: "'a' 'b'", cell: "ab", name: "varchar" },
  { sql: "x'00ff'", cell: bytes(0, 255), name: "varbinary" },
  { sql: "_utf8mb4'ü'", cell: "ü", name: "varchar" },
  { sql: "b'101'", cell: bytes(5), name: "varbinary" },
  { sql: "DATE '2024-01-02'", cell: "2024-01-02", name: "date" },
  { sql: "TIMESTAMP '2024-01-02 03:04:05'", cell: "2024-01-02T03:04:05", name: "datetime" },
  { sql: "SEC_TO_TIME(90000)", cell: "25:00:00", name: "time" },
  { sql: "JSON_OBJECT('a', 1)", cell: new JsonText('{"a": 1}'), name: "json" },
  { sql: "JSON_EXTRACT('[1, \"x\"]', '$[1]')", cell: new JsonText('"x"'), name: "json" },
  { sql: "JSON_VALUE('[1, \"x\"]', '$[1]')", cell: "x", name: "varchar" },
  { sql: "GROUP_CONCAT('a', 1)", cell: "a1", name: "text" },
  { sql: "UNHEX('4142')", cell: bytes(65, 66), name: "varbinary" },
  { sql: "CAST(1 AS FLOAT) / 3", cell: 1 / 3, name: "double" },
];

const admin = new AdminClient(server, "mysql");
await admin.run(
  "CREATE DATABASE types CHARACTER SET utf8mb4",
  "USE types",
  "SET sql_mode = '', time_zone = '+02:00'",
);
await admin.run("SET NAMES utf8mb4");
for (const [index, { type, value }] of SAMPLES.entries()) {
  await admin.run(`CREATE TABLE t${index} (v ${type})`, `INSERT INTO t${index} VALUES (${value})`);
}
admin.end();

Deno.test("each type of column becomes the cell that docs/values.md promises, and its name", async () => {
  await withMysql({ server, target }, async (database) => {
    for (const [index, { type, cell, name = type }] of SAMPLES.entries()) {
      const { columns, rows } = await ask(database, `SELECT v FROM t${index}`);
      assert.deepEqual(rows, [[cell]], type);
      assert.deepEqual(columns, [{ name: "v", type: name.replace(/ null$/, "") }]);
    }
  });
});

Deno.test("expressions have cells and types too", async () => {
  await withMysql({ server, target }, async (database) => {
    for (const { sql, cell, name } of EXPRESSIONS) {
      const { columns, rows } = await ask(database, `SELECT ${sql} AS v`);
      assert.deepEqual(rows, [[cell]], sql);
      assert.deepEqual(columns, [{ name: "v", type: name }], sql);
    }
  });
});

Deno.test("NULL of every type is null", async () => {
  await withMysql({ server, target }, async (database) => {
    for (const index of SAMPLES.keys()) {
      const { rows } = await ask(database, `SELECT v FROM t${index} UNION ALL SELECT NULL FROM t${index}`);
      assert.equal(rows.length, 2);
      assert.equal(rows[1]?.[0], null);
    }
  });
});

Deno.test("a document that is no JSON stays text", async () => {
  const owner = new AdminClient(server, "types");
  await owner.run("CREATE TABLE loose (v json)", "SET check_constraint_checks = 0");
  await owner.run(`INSERT INTO loose VALUES ('{"a": '), ('')`);
  owner.end();
  await withMysql({ server, target }, async (database) => {
    assert.deepEqual((await ask(database, "SELECT v FROM loose")).rows, [['{"a": '], [""]]);
  });
});

Deno.test("columns may have no name, and names may repeat", async () => {
  await withMysql({ server, target }, async (database) => {
    const { columns, rows } = await ask(database, 'SELECT 1 AS a, 2 AS a, 3 AS ``, 4 AS `ü "x"`');
    assert.deepEqual(columns.map(({ name }) => name), ["a", "a", "", 'ü "x"']);
    assert.deepEqual(rows, [[1, 2, 3, 4]]);
  });
});

const GEOMETRIES = [
  "POINT(1 2)",
  "POINT(-0.5 1e100)",
  "LINESTRING(0 0,1 1,2 0.25)",
  "POLYGON((0 0,0 4,4 4,4 0,0 0),(1 1,1 2,2 2,2 1,1 1))",
  "MULTIPOINT(1 1,2 2)",
  "MULTILINESTRING((0 0,1 1),(2 2,3 3))",
  "MULTIPOLYGON(((0 0,0 1,1 1,0 0)),((5 5,5 6,6 6,5 5)))",
  "GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(0 0,1 1))",
  "GEOMETRYCOLLECTION EMPTY",
];

Deno.test("geometry becomes the text that the server itself makes of it, with its reference system", async () => {
  await withMysql({ server, target }, async (database) => {
    for (const text of GEOMETRIES) {
      const { rows: [row] } = await ask(
        database,
        `SELECT ST_GeomFromText('${text}') AS g, ST_AsText(ST_GeomFromText('${text}')) AS t, ` +
          `ST_GeomFromText('${text}', 4326) AS s`,
      );
      assert(typeof row?.[1] === "string");
      assert.equal(row[0], row[1]);
      assert.equal(row[2], `SRID=4326;${row[1]}`);
    }
  });
});

Deno.test("the shop's strange values arrive as they were written", async () => {
  await withMysql({ server }, async (database) => {
    const { rows } = await ask(database, "SELECT * FROM `strange values` ORDER BY id");
    assert.equal(rows.length, 27);
    assert.deepEqual(rows[6]?.slice(0, 3), [
      7,
      9223372036854775807n,
      decimal("9999999999999999999999999999.9999999999"),
    ]);
    assert.equal(rows[5]?.[5], "👩‍👩‍👧‍👦 family, 🇪🇺 flag, 👍🏽 tone");
    assert.deepEqual(rows[1]?.[12], Uint8Array.from({ length: 256 }, (_, byte) => byte));
    assert.deepEqual(rows[4]?.[9], "2023-12-31T18:15:00.123456");
    assert.deepEqual(rows.at(-1), [27, ...Array(12).fill(null)]);
  });
});
