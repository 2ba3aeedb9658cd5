/**
 * Tables for people: columns that fit, cells that are cut, text that cannot harm a terminal.
 */
import assert from "node:assert/strict";
import { fit } from "../../src/term/fit.ts";
import { oneLine } from "../../src/term/plain_text.ts";
import { loadFormat } from "../../src/term/registry.ts";
import { PLAIN } from "../../src/term/paint.ts";
import { cut, pad, widthOf } from "../../src/term/width.ts";

async function* each(rows: readonly string[]): AsyncGenerator<string> {
  yield* rows;
}

async function draw(rows: readonly string[], width?: number): Promise<string[]> {
  const table = await loadFormat("table");
  const columns = Object.keys(JSON.parse(rows[0] ?? "{}"));
  return await Array.fromAsync(table(each(rows), { columns, width, paint: PLAIN }));
}

Deno.test("numbers stand on the right with every digit, NULL is told apart, nothing is cut without a window", async () => {
  const rows = ['{"n":1,"big":null,"t":"x"}', '{"n":-12.50,"big":123456789012345678901,"t":null}'];
  assert.deepEqual(await draw(rows), [
    "      n │                   big │ t",
    "────────┼───────────────────────┼──────",
    "      1 │                  NULL │ x",
    " -12.50 │ 123456789012345678901 │ NULL",
  ]);
});

Deno.test("a huge cell takes no more time than its size, and does not fill up the rows above and below it", async () => {
  const rows = ['{"a":"x","b":1}', `{"a":"${"y".repeat(1_000_000)}","b":2}`];
  const [head, , short, long] = await draw(rows);
  assert.equal(long?.length, 1_000_000 + " ".length + " │ 2".length);
  for (const line of [head, short]) assert.equal(line?.length, 500 + " ".length + " │ b".length);
});

Deno.test("the widest columns give way, and every line fits", async () => {
  const rows = [JSON.stringify({ a: "a".repeat(30), b: "東京".repeat(10), c: 7 })];
  for (const width of [24, 40, 60]) {
    const lines = await draw(rows, width);
    assert.match(lines.join("\n"), /…/);
    for (const line of lines) assert.ok(widthOf(line) <= width, `${widthOf(line)} > ${width}: ${line}`);
  }
});

Deno.test("a window too narrow for columns gets one line a cell", async () => {
  const rows = [JSON.stringify({ first: "a".repeat(30), second: null, third: 3, fourth: 4 })];
  assert.deepEqual(await draw(rows, 14), [
    "── row 1 ──",
    "first aaaaaaa…",
    "second NULL",
    "third 3",
    "fourth 4",
  ]);
});

Deno.test("rows after the measured ones are cut to the same widths in a window", async () => {
  const rows = Array.from({ length: 1000 }, () => '{"a":"xx"}');
  const all = [...rows, '{"a":"a long one"}'];
  assert.equal((await draw(all, 80)).at(-1), " a…");
  assert.equal((await draw(all)).at(-1), " a long one");
});

Deno.test("widths are shared out: names give way before cells, wide columns before narrow ones", () => {
  const equal = (cells: number[], room: number) => fit({ names: cells, cells }, room);
  assert.deepEqual(equal([3, 4], 10), [3, 4]);
  assert.deepEqual(equal([3, 40, 40], 30), [3, 14, 13]);
  assert.equal(equal([9, 9, 9], 12), undefined);
  assert.deepEqual(equal([], 10), []);
  assert.deepEqual(fit({ names: [20, 20, 4], cells: [10, 2, 4] }, 30), [20, 6, 4]);
  assert.deepEqual(fit({ names: [20, 30], cells: [10, 10] }, 25), [15, 10]);
});

Deno.test("wide characters and emoji are counted as they are shown", () => {
  assert.equal(widthOf("東京"), 4);
  assert.equal(widthOf("👩‍👩‍👧"), 2);
  assert.equal(cut("東京都", 5), "東京…");
  assert.equal(cut("👩‍👩‍👧👩‍👩‍👧", 3), "👩‍👩‍👧…");
  assert.equal(cut("abc", 3), "abc");
  assert.equal(pad("é", { width: 3, right: true }), "  é");
});

Deno.test("control characters become pictures, marks of direction and broken characters what they are", () => {
  assert.equal(oneLine("a\n\x1b[31mb\x7f\x9b\u202ec\ud800"), "a␊␛[31mb␡��c�");
});
