/**
 * Texts with NUL characters, which node:sqlite cuts where it hands out columns.
 */
import assert from "node:assert/strict";
import { faultOf, run } from "../../suites/database_fixture.ts";
import { makeFile, openFile } from "../../support/sqlite_file.ts";

const TEXT = "a\0b\0";

const SETUP = `CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT, y);
  INSERT INTO t VALUES (1, 'a' || char(0) || 'b' || char(0), 9007199254740993), (2, 'plain', x'00ff'), (3, NULL, 1e999);
  CREATE TABLE saber_rows (x TEXT);
  INSERT INTO saber_rows SELECT x FROM t WHERE id = 1;
  CREATE VIEW v AS SELECT x FROM t;
  CREATE VIEW hostile AS SELECT saber_row(x) FROM t;
  CREATE VIRTUAL TABLE words USING fts5(body);
  INSERT INTO words VALUES ('one two'), ('two three');`;

/** The statement, and its first row. */
const STATEMENTS: readonly [sql: string, row: readonly unknown[]][] = [
  ["SELECT * FROM t", [1, TEXT, 9007199254740993n]],
  ["SELECT x FROM t WHERE id = 1 LIMIT 1", [TEXT]],
  ["SELECT x, x, x AS y FROM t;", [TEXT, TEXT, TEXT]],
  ["SELECT x FROM t; -- first of all;", [TEXT]],
  ["SELECT x FROM t -- (", [TEXT]],
  ["/* ) */ SELECT x FROM t /* ( */", [TEXT]],
  ["SELECT x || '!' FROM t ORDER BY id", [`${TEXT}!`]],
  ["SELECT x FROM t WHERE x IS NOT NULL ORDER BY x DESC LIMIT 1 OFFSET 1", [TEXT]],
  ["SELECT upper(x), count(*) FROM t GROUP BY x HAVING x LIKE 'a%'", ["A\0B\0", 1]],
  ["SELECT DISTINCT x FROM t", [TEXT]],
  ["SELECT 'z' UNION SELECT x FROM t WHERE id = 1 ORDER BY 1", [TEXT]],
  ["SELECT x FROM t UNION ALL SELECT x FROM t", [TEXT]],
  ["VALUES ('a' || char(0) || 'b' || char(0), x'00')", [TEXT, new Uint8Array([0])]],
  ["WITH saber_rows_(x) AS (SELECT x FROM saber_rows) SELECT x FROM saber_rows_", [TEXT]],
  ["WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3) SELECT x, i FROM t, n", [
    TEXT,
    1,
  ]],
  ["SELECT x FROM [SABER_ROWS]", [TEXT]],
  ["SELECT * FROM v", [TEXT]],
  ["SELECT last_value(x) OVER (ORDER BY id) FROM t", [TEXT]],
  ["SELECT (SELECT x FROM t WHERE id = 1), NULL, -0.5", [TEXT, null, -0.5]],
  ["SELECT json_group_array(x) FROM t WHERE id = 1", ['["a\\u0000b\\u0000"]']],
  ["SELECT highlight(words, 0, '<', '>') FROM words WHERE words MATCH 'two' ORDER BY rank", ["one <two>"]],
];

Deno.test("a text is given whole, in whatever statement that reads", async () => {
  await using file = await makeFile(SETUP);
  for (const access of ["read", "write"] as const) {
    await using opened = openFile(file, { access });
    for (const [sql, row] of STATEMENTS) {
      const [first] = (await Array.fromAsync((await run(opened.database, sql)).batches)).flat();
      assert.deepEqual(first, row, sql);
    }
  }
});

/** Statements that change rows, and the first one that they return. */
const RETURNING: readonly [sql: string, row: readonly unknown[]][] = [
  ["UPDATE t SET id = id WHERE id = 1 RETURNING *", [1, TEXT, 9007199254740993n]],
  ["UPDATE t SET id = id WHERE id = 1 RETURNING x;", [TEXT]],
  ["UPDATE t SET id = id WHERE id = 1 RETURNING x AS y, y z, *, x || '!' -- , (", [
    TEXT,
    9007199254740993n,
    1,
    TEXT,
    9007199254740993n,
    `${TEXT}!`,
  ]],
  [
    "UPDATE t SET x = x || (SELECT '(,' || s.x FROM saber_rows AS s) WHERE id = 1 RETURNING (x), replace(x, 'b', ',')",
    [
      `${TEXT}(,${TEXT}`,
      `${TEXT.replace("b", ",")}(,${TEXT.replace("b", ",")}`,
    ],
  ],
  ["UPDATE t SET id = id FROM (SELECT 2 AS n) WHERE id = n RETURNING *", [
    2,
    "plain",
    new Uint8Array([0, 255]),
  ]],
  [
    'UPDATE t SET id = id WHERE id = 3 RETURNING y, x, -0.5, 5.0, CASE WHEN x IS NULL THEN 1 END "a b", x NOTNULL',
    [
      Infinity,
      null,
      -0.5,
      5,
      1,
      0,
    ],
  ],
  ["INSERT INTO t (x) VALUES ('returning' || char(0)) RETURNING x [, returning], id IN (1, 2)", [
    "returning\0",
    0,
  ]],
  ["INSERT INTO odd SELECT char(0), 2 RETURNING *", ["\0", 2]],
  ["INSERT INTO odd VALUES (x'01', x'') RETURNING *, \"RETURNING\"", [
    new Uint8Array([1]),
    new Uint8Array(),
    new Uint8Array([1]),
  ]],
  ["WITH n AS (SELECT 1 AS i) DELETE FROM t WHERE id IN (SELECT i FROM n) RETURNING upper(x)", [
    "A\0B\0(,A\0B\0",
  ]],
  ["INSERT INTO words VALUES ('a' || char(0)) RETURNING body", ["a\0"]],
  ["INSERT INTO t (x) VALUES (NULL) ON CONFLICT DO NOTHING RETURNING coalesce(x, char(65279, 0)) 'name'", [
    "\ufeff\0",
  ]],
];

Deno.test("a text is given whole where what changes rows returns it", async () => {
  await using file = await makeFile(`${SETUP} CREATE TABLE odd ("returning", "")`);
  for (const [sql, row] of RETURNING) {
    await using opened = openFile(file, { access: "write" });
    const cursor = await run(opened.database, sql);
    const rows = (await Array.fromAsync(cursor.batches)).flat();
    assert.deepEqual(rows, [row], sql);
  }
});

Deno.test("rows of more columns than a function takes are whole and in order", async () => {
  await using file = await makeFile(SETUP);
  await using opened = openFile(file);
  for (const width of [99, 100, 101, 200, 1000]) {
    const columns = Array.from({ length: width }, (_, index) => `x || ${index}`);
    for (const limit of ["", " LIMIT 2"]) {
      const sql = `SELECT ${columns} FROM t WHERE x IS NOT NULL ORDER BY id${limit}`;
      const rows = (await Array.fromAsync((await run(opened.database, sql)).batches)).flat();
      assert.deepEqual(rows, [TEXT, "plain"].map((text) => columns.map((_, index) => `${text}${index}`)));
    }
  }
});

Deno.test("a column may have the name of such a function", async () => {
  await using file = await makeFile("CREATE TABLE n (saber_row, saber_cell); INSERT INTO n VALUES (1, 2)");
  await using opened = openFile(file);
  const { batches } = await run(opened.database, "SELECT saber_row, saber_cell FROM n");
  assert.deepEqual((await Array.fromAsync(batches)).flat(), [[1, 2]]);
});

Deno.test("the function that rows go through is nobody else's", async () => {
  await using file = await makeFile(SETUP);
  for (const access of ["read", "write"] as const) {
    await using opened = openFile(file, { access });
    for (
      const sql of [
        "SELECT saber_row(x) FROM t",
        "SELECT saber_cell(x) FROM t",
        "UPDATE t SET id = id WHERE id = 1 RETURNING saber_cell(x)",
        'SELECT "SABER_ROW"(1)',
        "SELECT * FROM hostile",
        "SELECT x FROM t ORDER BY saber_row(x)",
        "EXPLAIN SELECT saber_row(1)",
        "WITH a AS (SELECT saber_row(1) AS b) SELECT b FROM a",
      ]
    ) {
      assert.match(String(await faultOf(run(opened.database, sql))), /^Fault: Cannot /, sql);
    }
    assert.deepEqual(
      (await Array.fromAsync((await run(opened.database, "SELECT id FROM t")).batches)).flat(),
      [
        [1],
        [2],
        [3],
      ],
    );
  }
});
