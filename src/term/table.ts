/**
 * Rows as a table for people: fitted to the window, numbers on the right, NULL told apart, whatever is too wide cut with a
 * mark. In a window too narrow for that, one line a cell.
 */
import { membersOf, textOf } from "../base/json_parts.ts";
import { fit } from "./fit.ts";
import { oneLine } from "./plain_text.ts";
import type { RowLayout } from "./row_format.ts";
import { cut, pad, widthOf } from "./width.ts";

/** Rows that decide how wide the columns are; in a window the others are cut to that. */
const MEASURED_ROWS = 1000;
const BETWEEN = " │ ";
const NUMBER = /^-?[\d.]|^"-?(?:nan|inf)"$/;

interface Cell {
  readonly text: string;
  readonly isNull: boolean;
}

interface Column {
  readonly name: string;
  readonly width: number;
  readonly right: boolean;
}

export async function* table(rows: AsyncIterable<string>, layout: RowLayout): AsyncGenerator<string> {
  if (layout.columns.length === 0) return;
  const iterator = rows[Symbol.asyncIterator]();
  try {
    const first: string[][] = [];
    while (first.length < MEASURED_ROWS) {
      const { done, value } = await iterator.next();
      if (done) break;
      first.push(membersOf(value).map(([, json]) => json));
    }
    const columns = measure(first, layout);
    if (columns === undefined) return yield* records(first, { iterator, layout });
    yield* head(columns, layout);
    for (const row of first) yield line(row, { columns, layout });
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      yield line(membersOf(next.value).map(([, json]) => json), { columns, layout });
    }
  } finally {
    await iterator.return?.();
  }
}

function cellOf(json: string): Cell {
  if (json === "null") return { text: "NULL", isNull: true };
  return { text: oneLine(json.startsWith('"') ? textOf(json) : json), isNull: false };
}

/** Undefined when the window is too narrow for columns. */
function measure(rows: readonly string[][], { columns, width }: RowLayout): Column[] | undefined {
  const names = columns.map(oneLine);
  const wanted = names.map(widthOf);
  const isNumber: (boolean | undefined)[] = [];
  for (const row of rows) {
    row.forEach((json, index) => {
      const { text, isNull } = cellOf(json);
      wanted[index] = Math.max(wanted[index] ?? 0, widthOf(text));
      if (!isNull) isNumber[index] = isNumber[index] !== false && NUMBER.test(json);
    });
  }
  const room = width === undefined ? Infinity : width - 2 - BETWEEN.length * (names.length - 1);
  const widths = fit(wanted, room);
  return widths && names.map((name, index) => ({
    name,
    width: Math.max(1, widths[index] ?? 0),
    right: isNumber[index] ?? false,
  }));
}

function* head(columns: readonly Column[], { paint }: RowLayout): Generator<string> {
  const names = columns.map(({ name, width, right }) =>
    paint("title", pad(cut(name, width), { width, right }))
  );
  yield trimmed(` ${names.join(paint("muted", BETWEEN))}`);
  yield paint("muted", columns.map(({ width }) => "─".repeat(width + 2)).join("┼"));
}

function line(
  row: readonly string[],
  { columns, layout }: { columns: readonly Column[]; layout: RowLayout },
): string {
  const { paint } = layout;
  const cells = columns.map(({ width, right }, index) => {
    const { text, isNull } = cellOf(row[index] ?? "null");
    const padded = pad(layout.width === undefined ? text : cut(text, width), { width, right });
    return isNull ? paint("muted", padded) : padded;
  });
  return trimmed(` ${cells.join(paint("muted", BETWEEN))}`);
}

function trimmed(line: string): string {
  return line.replace(/ +$/, "");
}

/** Each row as a block of `name value` lines. */
async function* records(
  first: readonly string[][],
  { iterator, layout }: { iterator: AsyncIterator<string>; layout: RowLayout },
): AsyncGenerator<string> {
  let number = 0;
  for (const row of first) yield* record(row, { number: ++number, layout });
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    yield* record(membersOf(next.value).map(([, json]) => json), { number: ++number, layout });
  }
}

function* record(
  row: readonly string[],
  { number, layout: { columns, width = Infinity, paint } }: { number: number; layout: RowLayout },
): Generator<string> {
  yield paint("muted", cut(`── row ${number} ──`, width));
  for (const [index, name] of columns.entries()) {
    const { text, isNull } = cellOf(row[index] ?? "null");
    const label = cut(oneLine(name), Math.max(1, Math.floor(width / 2)));
    const value = cut(text, Math.max(1, width - widthOf(label) - 1));
    yield `${paint("title", label)} ${isNull ? paint("muted", value) : value}`;
  }
}
