/**
 * How the text that is being typed looks: wrapped to the window, with the place of the cursor, and what could complete it.
 */
import type { Editor } from "./editor.ts";
import type { Paint } from "./paint.ts";
import { oneLine } from "./plain_text.ts";
import type { InputArea } from "./screen.ts";
import { cut, widthOf } from "./width.ts";

export interface InputLook {
  readonly columns: number;
  readonly paint: Paint;
  /** Stands before the first line. */
  readonly sign: string;
  /** Shown below. */
  readonly hints: readonly string[];
}

const INDENT = 2;

export function inputArea({ text, cursor }: Pick<Editor, "text" | "cursor">, look: InputLook): InputArea {
  const { columns, paint, sign, hints } = look;
  const room = Math.max(1, columns - INDENT - 1);
  const rows: string[] = [];
  let place = { row: 0, column: 0 };
  let at = 0;
  let row = "";
  let taken = 0;
  const end = () => {
    rows.push(row);
    [row, taken] = ["", 0];
  };
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const shown = segment === "\n" ? "" : oneLine(segment);
    if (taken + widthOf(shown) > room) end();
    if (at === cursor) place = { row: rows.length, column: taken };
    if (segment === "\n") end();
    row += shown;
    taken += widthOf(shown);
    at += segment.length;
  }
  if (cursor >= at) place = { row: rows.length, column: taken };
  end();
  const first = paint("accent", sign);
  const lines = rows.map((line, index) => (index === 0 ? first : " ".repeat(INDENT)) + line);
  const below = hints.map((hint) => paint("muted", cut(oneLine(hint), columns)));
  const up = rows.length - 1 - place.row + below.length;
  return { lines: [...lines, ...below], cursor: { up, column: INDENT + place.column } };
}
