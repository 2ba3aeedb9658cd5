/**
 * Rows as a table for people: fitted to the window, numbers on the right, NULL told apart, whatever is too wide cut with a
 * mark. In a window too narrow for that, one line a cell.
 */
import { membersOf, textOf } from "../base/json_parts.ts";
import { type GridCell, headLines, measure, rowLine } from "./grid.ts";
import { oneLine } from "./plain_text.ts";
import type { RowLayout } from "./row_format.ts";
import { cut, widthOf } from "./width.ts";

/** Rows that decide how wide the columns are; in a window the others are cut to that. */
const MEASURED_ROWS = 1000;
const NUMBER = /^-?[\d.]|^"-?(?:nan|inf)"$/;

export async function* table(rows: AsyncIterable<string>, layout: RowLayout): AsyncGenerator<string> {
  if (layout.columns.length === 0) return;
  const iterator = rows[Symbol.asyncIterator]();
  try {
    const first: GridCell[][] = [];
    while (first.length < MEASURED_ROWS) {
      const { done, value } = await iterator.next();
      if (done) break;
      first.push(cellsOf(value));
    }
    const columns = measure(layout.columns.map(oneLine), { rows: first, width: layout.width });
    if (columns) yield* headLines(columns, layout);
    let number = 0;
    for await (const row of chain(first, iterator)) {
      number++;
      if (columns) yield rowLine(row, { columns, layout });
      else yield* record(row, { number, layout });
    }
  } finally {
    await iterator.return?.();
  }
}

async function* chain(first: readonly GridCell[][], rest: AsyncIterator<string>): AsyncGenerator<GridCell[]> {
  yield* first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield cellsOf(next.value);
}

function cellsOf(row: string): GridCell[] {
  return membersOf(row).map(([, json]) => {
    if (json === "null") return { text: "NULL", isNull: true, isNumber: false };
    const text = oneLine(json.startsWith('"') ? textOf(json) : json);
    return { text, isNull: false, isNumber: NUMBER.test(json) };
  });
}

/** A row as a block of `name value` lines. */
function* record(
  row: readonly GridCell[],
  { number, layout: { columns, width = Infinity, paint } }: { number: number; layout: RowLayout },
): Generator<string> {
  yield paint("muted", cut(`── row ${number} ──`, width));
  for (const [index, name] of columns.entries()) {
    const { text = "", isNull = false } = row[index] ?? {};
    const label = cut(oneLine(name), Math.max(1, Math.floor(width / 2)));
    const value = cut(text, Math.max(1, width - widthOf(label) - 1));
    yield `${paint("title", label)} ${isNull ? paint("muted", value) : value}`;
  }
}
