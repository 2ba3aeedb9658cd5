/**
 * How many attacks, and how many statements that must pass, the engines' tests run: no statement twice in one list, and no
 * list that has shrunk.
 */
import assert from "node:assert/strict";
import * as duckdbAttacks from "./duckdb/attack_list.ts";
import { HARMLESS as DUCKDB_HARMLESS } from "./duckdb/harmless_list.ts";
import * as filesAttacks from "./files/attack_list.ts";
import * as mysqlAttacks from "./mysql/attack_list.ts";
import { RUN } from "./mysql/harmless_list.ts";
import * as postgresAttacks from "./postgres/attack_list.ts";
import { HARMLESS as POSTGRES_HARMLESS } from "./postgres/harmless_list.ts";
import * as sqliteAttacks from "./sqlite/attack_list.ts";
import { HARMLESS as SQLITE_HARMLESS } from "./sqlite/harmless_list.ts";

interface Lists {
  readonly name: string;
  readonly attacks: readonly string[];
  /** Run on the real engine, behind the guard. */
  readonly harmless: readonly string[];
  readonly least: { readonly attacks: number; readonly harmless: number };
}

const texts = (list: readonly { readonly sql: string }[]) => list.map(({ sql }) => sql);

const LISTS: readonly Lists[] = [
  {
    name: "PostgreSQL",
    attacks: texts(postgresAttacks.ATTACKS),
    harmless: texts(POSTGRES_HARMLESS),
    least: { attacks: 270, harmless: 90 },
  },
  {
    name: "MySQL and MariaDB",
    attacks: texts(mysqlAttacks.ATTACKS),
    harmless: RUN,
    least: { attacks: 195, harmless: 80 },
  },
  {
    name: "SQLite",
    attacks: [...sqliteAttacks.NEVER, ...sqliteAttacks.WRITES],
    harmless: SQLITE_HARMLESS.map(([sql]) => sql),
    least: { attacks: 260, harmless: 45 },
  },
  {
    name: "DuckDB",
    attacks: texts(duckdbAttacks.ATTACKS),
    harmless: DUCKDB_HARMLESS,
    least: { attacks: 550, harmless: 80 },
  },
  {
    name: "data files",
    attacks: texts(filesAttacks.ATTACKS),
    harmless: [],
    least: { attacks: 90, harmless: 0 },
  },
];

Deno.test("the lists of attacks and of honest statements are long, and hold nothing twice", async (test) => {
  for (const { name, attacks, harmless, least } of LISTS) {
    await test.step(`${name}: ${attacks.length} attacks, ${harmless.length} honest statements`, () => {
      for (const list of [attacks, harmless]) {
        assert.deepEqual(list.filter((sql, at) => list.indexOf(sql) !== at), []);
      }
      assert.ok(attacks.length >= least.attacks && harmless.length >= least.harmless);
    });
  }
});
