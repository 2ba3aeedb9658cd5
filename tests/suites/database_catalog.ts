/** The part of the database suite about the catalog: tables, their parts, patterns and strange names. */
import assert from "node:assert/strict";
import type { CatalogRequest, Database, TableDetail } from "../../src/db/driver.ts";
import { type EngineFixture, NEVER, openPlace, openPlain } from "./database_fixture.ts";

const STRANGE = [
  "a b",
  'q"uote',
  "a'postrophe",
  "back`tick",
  "dash-ed",
  "dot.ted",
  "größe 😀!",
  "SELECT",
  "UpperCase",
  "semi;colon",
  "per%cent",
];

export function catalogTests(fixture: EngineFixture): void {
  const { name, schema } = fixture;

  Deno.test(`${name}: tables and views are listed by name`, async () => {
    await using opened = await openPlain(fixture);
    const tables = await opened.database.tables({ signal: NEVER });
    assert.deepEqual(tables.map((table) => [table.schema, table.name, table.kind]), [
      [schema, "plain", "table"],
      [schema, "plain names", "view"],
    ]);
  });

  Deno.test(`${name}: a pattern is LIKE on the table, or on schema and table`, async () => {
    const names = ["user", "user_log", "users", "other"];
    const place = await fixture.create(names.map((each) => table(fixture, each)));
    await using opened = await openPlace(fixture, place, { access: "read", timeoutMs: 10_000 });
    const cases: readonly [pattern: string, names: readonly string[]][] = [
      ["user%", ["user", "user_log", "users"]],
      [`${schema}.user%`, ["user", "user_log", "users"]],
      [`${schema}.%`, ["other", "user", "user_log", "users"]],
      ["%", ["other", "user", "user_log", "users"]],
      ["user", ["user"]],
      ["use_s", ["users"]],
      ["elsewhere.user%", []],
      ["'; DROP TABLE users; --", []],
    ];
    for (const [pattern, expected] of cases) {
      assert.deepEqual(await tableNames(opened.database, { pattern, signal: NEVER }), expected, pattern);
    }
  });

  Deno.test(`${name}: columns, keys and indexes of a table`, async () => {
    const place = await fixture.create(family(fixture));
    await using opened = await openPlace(fixture, place, { access: "read", timeoutMs: 10_000 });
    const details = await opened.database.describe({ pattern: "child", signal: NEVER });
    assert.equal(details.length, 1);
    checkChild(fixture, details[0]);
  });

  Deno.test(`${name}: strange names of tables and columns break nothing`, async (test) => {
    const strange = STRANGE.map((each) =>
      fixture.plainUnicodeNames ? each.replace(/[^\0-\uffff]/u, "") : each
    );
    const place = await fixture.create(strange.map((each) => table(fixture, each)));
    await using opened = await openPlace(fixture, place, { access: "read", timeoutMs: 10_000 });
    const details = await opened.database.describe({ signal: NEVER });
    assert.deepEqual(details.map((each) => each.name).toSorted(), strange.toSorted());
    for (const { name, columns, primaryKey, indexes } of details) {
      await test.step(name, () => {
        assert.deepEqual(columns.map((column) => column.name), ["id", name]);
        assert.deepEqual(primaryKey, ["id"]);
        assert.ok(indexes.some((index) => index.columns.join() === name), "its index is missing");
      });
    }
  });
}

/** A table, its second column and its index, all of this name. */
function table({ quote, types }: EngineFixture, name: string): string {
  return `CREATE TABLE ${quote(name)} (id ${types.integer} PRIMARY KEY, ${
    quote(name)
  } ${types.varchar20} UNIQUE)`;
}

async function tableNames(database: Database, request: CatalogRequest): Promise<string[]> {
  return (await database.tables(request)).map((each) => each.name).toSorted();
}

/** A parent with a key of two columns, and a child that refers to it in another order of columns. */
function family({ types }: EngineFixture): string[] {
  return [
    `CREATE TABLE parent (a ${types.integer}, b ${types.integer}, PRIMARY KEY (b, a))`,
    `CREATE TABLE child (
      id ${types.integer} NOT NULL PRIMARY KEY,
      label ${types.varchar20} NOT NULL,
      amount ${types.decimal},
      pa ${types.integer} DEFAULT 0,
      pb ${types.integer},
      FOREIGN KEY (pb, pa) REFERENCES parent (b, a))`,
    "CREATE UNIQUE INDEX child_label ON child (label, id)",
    "CREATE INDEX child_amount ON child (amount)",
  ];
}

function checkChild({ schema, types, zeroDefault }: EngineFixture, child: TableDetail | undefined): void {
  assert.ok(child !== undefined);
  assert.deepEqual([child.schema, child.name, child.kind], [schema, "child", "table"]);
  assert.deepEqual(child.columns, [
    { name: "id", type: types.integer, nullable: false },
    { name: "label", type: types.varchar20, nullable: false },
    { name: "amount", type: types.decimal, nullable: true },
    { name: "pa", type: types.integer, nullable: true, default: zeroDefault },
    { name: "pb", type: types.integer, nullable: true },
  ]);
  assert.deepEqual(child.primaryKey, ["id"]);
  assert.deepEqual(child.foreignKeys, [
    { columns: ["pb", "pa"], references: { schema, table: "parent", columns: ["b", "a"] } },
  ]);
  const indexes = child.indexes.map(({ name, columns, unique }) => ({ name, columns, unique }));
  for (
    const expected of [
      { name: "child_amount", columns: ["amount"], unique: false },
      { name: "child_label", columns: ["label", "id"], unique: true },
    ]
  ) assert.deepEqual(indexes.find((index) => index.name === expected.name), expected);
}
