/**
 * The guard divides text as the engines do: what it takes for one reading statement, they do too, whatever the pieces.
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { DuckDBInstance, StatementType } from "@duckdb/node-api";
import { parse } from "libpg-query";
import { Fault } from "../../src/base/fault.ts";
import type { Dialect } from "../../src/db/driver.ts";
import { limitRows } from "../../src/db/limit.ts";
import { judge } from "../../src/db/policy.ts";
import { DUCKDB_DIALECT, POSTGRES_DIALECT, SQLITE_DIALECT } from "../support/dialects.ts";

/** Pieces in which engines and guards like to differ. */
const PIECES = [
  ...[
    ";",
    "'",
    "''",
    '"',
    '""',
    "`",
    "[",
    "]",
    "--",
    "-- ",
    "/*",
    "*/",
    "\n",
    "\r",
    "\v",
    "\f",
    "\t",
    "\\",
    "\\'",
  ],
  ...[
    "$$",
    "$a$",
    "$1",
    "E'",
    "e'",
    "E",
    "U&'",
    'U&"',
    "x'",
    "1e",
    "1.",
    "0x",
    "1_",
    "1",
    "a",
    "é",
    "t.",
    "::",
    "?",
  ],
  ...[
    ":a",
    "@a",
    "#",
    "(",
    ")",
    "{",
    "}",
    ",",
    "=",
    "||",
    "\u00a0",
    "SELECT 1",
    "DELETE FROM t",
    "INTO x",
    "AS",
  ],
  ...[
    "FROM t",
    "FOR UPDATE",
    "LIMIT 5",
    "WITH",
    "x AS (",
    "EXPLAIN",
    "ANALYZE",
    "UNION",
    "VALUES (1)",
    "/**/",
  ],
];
const ENDS = [
  "",
  "; DELETE FROM t",
  " DELETE FROM t --'",
  "'; DELETE FROM t --",
  "*/; DELETE FROM t",
  "' INTO x --'",
];

function* statements(count: number): Generator<string> {
  let state = 4711;
  const below = (bound: number) => (state = (state * 48271) % 2147483647) % bound;
  const pick = (list: readonly string[]) => list[below(list.length)] ?? "";
  for (let i = 0; i < count; i++) {
    let sql = below(4) === 0 ? "" : "SELECT 1 ";
    for (let pieces = below(9); pieces >= 0; pieces--) sql += pick(PIECES) + (below(2) === 0 ? " " : "");
    yield sql + pick(ENDS);
  }
}

function passes(sql: string, dialect: Dialect): boolean {
  try {
    judge(sql, { dialect, access: "read" });
    return true;
  } catch {
    return false;
  }
}

Deno.test("what passes for DuckDB is one SELECT or EXPLAIN to it", async () => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run("CREATE TABLE t (a int)");
  let parsed = 0;
  for (const sql of statements(15_000)) {
    if (!passes(sql, DUCKDB_DIALECT)) continue;
    const found = await connection.extractStatements(sql).catch(() => undefined);
    if (found === undefined) continue;
    parsed++;
    assert.equal(found.count, 1, JSON.stringify(sql));
    const prepared = await found.prepare(0).catch(() => undefined);
    if (prepared === undefined) continue;
    assert.ok(
      [StatementType.SELECT, StatementType.EXPLAIN].includes(prepared.statementType),
      JSON.stringify(sql),
    );
    prepared.destroySync();
  }
  assert.ok(parsed > 300, String(parsed));
});

Deno.test("what passes for SQLite is one statement to it, up to comments and semicolons", () => {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE t (a)");
  let parsed = 0;
  for (const sql of statements(15_000)) {
    if (!passes(sql, SQLITE_DIALECT)) continue;
    let compiled: string;
    try {
      compiled = database.prepare(sql).sourceSQL;
    } catch {
      continue;
    }
    parsed++;
    assert.ok(sql.startsWith(compiled), JSON.stringify(sql));
    assert.match(
      sql.slice(compiled.length),
      /^(?:\s|;|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*$/,
      JSON.stringify(sql),
    );
  }
  assert.ok(parsed > 300, String(parsed));
});

Deno.test("what passes for PostgreSQL is one plain SELECT to its parser, and carries the cap there", async () => {
  let parsed = 0;
  for (const sql of statements(15_000)) {
    if (!passes(sql, POSTGRES_DIALECT)) continue;
    const tree = await parse(sql).catch(() => undefined);
    if (tree === undefined) continue;
    parsed++;
    const json = JSON.stringify(tree.stmts);
    assert.match(json, /^\[\{"stmt":\{"(?:SelectStmt|ExplainStmt":\{"query":\{"SelectStmt)"/, sql);
    assert.equal(tree.stmts?.length, 1, sql);
    assert.doesNotMatch(json, /"(?:intoClause|lockingClause|DeleteStmt)":|"defname":"analyze"/, sql);
    await checkCap(sql);
  }
  assert.ok(parsed > 300, String(parsed));
});

/** Where a limit was added, PostgreSQL reads it as that of the whole statement. */
async function checkCap(sql: string): Promise<void> {
  const capped = addedCap(sql);
  if (capped === undefined) return;
  const json = JSON.stringify((await parse(capped)).stmts);
  assert.match(json, /"limitCount":\{"A_Const":\{"ival":\{"ival":11\}/, capped);
}

/** The statement with the limit that it got; undefined where it has one of its own. */
function addedCap(sql: string): string | undefined {
  try {
    const verdict = judge(sql, { dialect: POSTGRES_DIALECT, access: "read" });
    const limited = limitRows(verdict, { unlimited: 10, limited: 50 });
    return limited.added ? limited.sql : undefined;
  } catch (error) {
    assert.ok(error instanceof Fault && error.code === "bad_limit", String(error));
    return undefined;
  }
}
