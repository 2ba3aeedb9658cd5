/**
 * The lines of a table: columns that fit a width, cells padded or cut to them. What the cells say is their user's matter.
 */
import { fit } from "./fit.ts";
import type { Paint } from "./paint.ts";
import { cut, pad, widthOf } from "./width.ts";

/** Text on one line, without escapes. */
export interface GridCell {
  readonly text: string;
  readonly isNull: boolean;
  readonly isNumber: boolean;
}

export interface GridColumn {
  readonly name: string;
  readonly width: number;
  readonly right: boolean;
}

export interface GridLayout {
  /** Undefined where nothing is to be cut. */
  readonly width: number | undefined;
  readonly paint: Paint;
}

const BETWEEN = " │ ";
/** Where nothing is cut, a cell wider than this stands out instead of filling up those above and below it. */
const WIDEST = 500;

/** The columns as wide as these rows want them, or as the width lets them be; undefined when it lets them be nothing. */
export function measure(
  names: readonly string[],
  { rows, width }: { rows: readonly (readonly GridCell[])[]; width: number | undefined },
): GridColumn[] | undefined {
  const cells = names.map(() => 0);
  const isNumber: (boolean | undefined)[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      cells[index] = Math.max(cells[index] ?? 0, widthOf(cell.text));
      if (!cell.isNull) isNumber[index] = isNumber[index] !== false && cell.isNumber;
    }
  }
  const most = width === undefined ? WIDEST : Infinity;
  const room = width === undefined ? Infinity : width - 2 - BETWEEN.length * (names.length - 1);
  const widths = fit({ names: names.map(widthOf), cells: cells.map((cell) => Math.min(cell, most)) }, room);
  return widths && names.map((name, index) => ({
    name,
    width: Math.max(1, widths[index] ?? 0),
    right: isNumber[index] ?? false,
  }));
}

/** The names, and the rule under them. */
export function headLines(columns: readonly GridColumn[], { paint }: GridLayout): string[] {
  const names = columns.map(({ name, width, right }) =>
    paint("title", pad(cut(name, width), { width, right }))
  );
  return [
    trimmed(` ${names.join(paint("muted", BETWEEN))}`),
    paint("muted", columns.map(({ width }) => "─".repeat(width + 2)).join("┼")),
  ];
}

export function rowLine(
  row: readonly GridCell[],
  { columns, layout }: { columns: readonly GridColumn[]; layout: GridLayout },
): string {
  const { paint } = layout;
  const cells = columns.map(({ width, right }, index) => {
    const { text = "", isNull = false } = row[index] ?? {};
    const padded = pad(layout.width === undefined ? text : cut(text, width), { width, right });
    return isNull ? paint("muted", padded) : padded;
  });
  return trimmed(` ${cells.join(paint("muted", BETWEEN))}`);
}

function trimmed(line: string): string {
  // no expression: one for spaces at the end tries every run of spaces before
  let end = line.length;
  while (line[end - 1] === " ") end--;
  return line.slice(0, end);
}
