import assert from "node:assert/strict";
import { SqlPreview } from "../../src/agent/sql_preview.ts";
import { SOON_MS } from "../support/patience.ts";

/** All that is told when the arguments come in these pieces. */
function tellings(pieces: readonly string[]): string[] {
  const preview = new SqlPreview();
  return [...pieces.map((piece) => preview.push(piece)), preview.end()].filter((sql) => sql !== undefined);
}

const SQL = 'SELECT "Größe", \'it\\s\', 🦕 FROM "a\\b"\n\tWHERE x < 1 -- \u2028 ü';

const ARGUMENTS: { readonly [name: string]: { json: string; sql: string } } = {
  "plain": { json: JSON.stringify({ query: SQL }), sql: SQL },
  "escaped throughout": { json: `{"query":"${[...escaped(SQL)].join("")}"}`, sql: SQL },
  "after other members": {
    json: JSON.stringify({
      db_name: "query",
      options: { query: "SELECT wrong", list: ["query", { query: [] }] },
      n: -1.5e3,
      none: null,
      query: SQL,
      after: 'x"}',
    }),
    sql: SQL,
  },
  "an escaped key and much space": {
    json: '\n { "qu\\u0065ry" \t:\r\n "SELECT 1" , "x" : true }',
    sql: "SELECT 1",
  },
  "a key that only begins so": {
    json: '{"query_name":"no","quer":"no","query":"SELECT 1"}',
    sql: "SELECT 1",
  },
  "the same key twice: the first is what was shown": {
    json: '{"query":"SELECT 1","query":"SELECT 2"}',
    sql: "SELECT 1",
  },
  "raw control characters, as some models write them": {
    json: '{"query":"SELECT\n\t1"}',
    sql: "SELECT\n\t1",
  },
  "half a pair at the end": { json: '{"query":"a\\ud83e"}', sql: "a\ud83e" },
  "half a pair in the middle": { json: '{"query":"a\\ud83eb"}', sql: "a\ud83eb" },
};

function escaped(text: string): string[] {
  return text.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

for (const [name, { json, sql }] of Object.entries(ARGUMENTS)) {
  Deno.test(`SQL is previewed at every cut: ${name}`, () => {
    assert.deepEqual(tellings([json]), [sql]);
    for (let at = 0; at <= json.length; at++) {
      const told = tellings([json.slice(0, at), json.slice(at)]);
      assertGrowing(told);
      assert.equal(told.at(-1), sql, `cut at ${at}`);
    }
    const told = tellings(json.split(""));
    assertGrowing(told);
    assert.equal(told.at(-1), sql);
  });

  Deno.test(`arguments that break off anywhere give a beginning: ${name}`, () => {
    for (let at = 0; at <= json.length; at++) {
      const told = tellings(json.slice(0, at).split(""));
      assertGrowing(told);
      assert.ok(sql.startsWith(told.at(-1) ?? ""));
    }
  });
}

/** Each telling is a longer beginning of the next, none is empty or ends in half a pair that goes on. */
function assertGrowing(told: readonly string[]): void {
  for (const [n, sql] of told.entries()) {
    const before = told[n - 1] ?? "";
    assert.ok(sql.startsWith(before) && sql.length > before.length, JSON.stringify(told));
    const next = told[n + 1];
    if (next !== undefined) {
      assert.ok(!/[\ud800-\udbff]$/.test(sql) || !/^[\udc00-\udfff]/.test(next.slice(sql.length)));
    }
  }
}

for (
  const json of [
    "",
    "{}",
    '{"query":""}',
    '{"query":null}',
    '{"query":{"query":"x"}}',
    '{"query":["x"]}',
    '["query","x"]',
    '[{"query":"x"}]',
    '"query"',
    '{"sql":"x"}',
    'query: "x"',
  ]
) {
  Deno.test(`nothing is previewed of ${json || "empty arguments"}`, () => {
    assert.deepEqual(tellings([json]), []);
    assert.deepEqual(tellings(json.split("")), []);
  });
}

Deno.test("broken escapes end the preview where they stand", () => {
  assert.deepEqual(tellings(['{"query":"SELECT \\x 1"}']), ["SELECT "]);
  assert.deepEqual(tellings(['{"query":"SELECT \\u00zz 1"}']), ["SELECT "]);
});

Deno.test("a huge statement in small pieces is told in linear size and time", () => {
  const size = 2_000_000;
  const preview = new SqlPreview();
  preview.push('{"query":"');
  let units = 0;
  const before = performance.now();
  for (let at = 0; at < size; at += 4) units += preview.push("abcd")?.length ?? 0;
  assert.ok(units < 40 * size, `${units} units were told`);
  assert.ok(performance.now() - before < SOON_MS);
  preview.push('"}');
  assert.equal(preview.end()?.length ?? size, size);
});
