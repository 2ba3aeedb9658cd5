/**
 * Painted text broken into lines of a width, between words where it can be.
 */
import type { Paint, Role } from "./paint.ts";
import { widthOf } from "./width.ts";

/** A piece of text in one colour; `\n` in it ends the line. */
export interface Span {
  readonly text: string;
  readonly roles?: readonly Role[];
}

export interface WrapOptions {
  readonly width: number;
  readonly paint: Paint;
  /** Stands before the first line; the others are set in by as much, or have `rest` before them. */
  readonly first?: string;
  readonly rest?: string;
}

interface Piece extends Span {
  readonly width: number;
}

export function wrap(spans: readonly Span[], options: WrapOptions): string[] {
  const { first = "", rest = " ".repeat(widthOf(first)) } = options;
  const room = Math.max(1, options.width - Math.max(widthOf(first), widthOf(rest)));
  return linesOf(spans, room).map((line, index) => {
    const text = line.map((piece) => painted(piece, options.paint)).join("");
    return (index === 0 ? first : rest) + text;
  });
}

function painted({ text, roles = [] }: Span, paint: Paint): string {
  return roles.reduce((inner, role) => paint(role, inner), text);
}

function linesOf(spans: readonly Span[], room: number): Piece[][] {
  const lines: Piece[][] = [];
  let line: Piece[] = [];
  let taken = 0;
  const end = () => {
    while (line.at(-1)?.text.trim() === "") line.pop();
    lines.push(line);
    line = [];
    taken = 0;
  };
  for (const piece of piecesOf(spans, room)) {
    if (piece.text === "\n") {
      end();
      continue;
    }
    const isSpace = piece.text.trim() === "";
    if (taken + piece.width > room && taken > 0) {
      end();
      if (isSpace) continue;
    }
    line.push(piece);
    taken += piece.width;
  }
  end();
  return lines;
}

/** Words, spaces and line ends; a word that is wider than a line in parts. */
function* piecesOf(spans: readonly Span[], room: number): Generator<Piece> {
  for (const { text, roles = [] } of spans) {
    for (const [word] of text.matchAll(/\n|[^\S\n]+|\S+/g)) {
      const width = widthOf(word);
      if (width <= room || word === "\n") yield { text: word, roles, width };
      else for (const part of parts(word, room)) yield { ...part, roles };
    }
  }
}

function* parts(word: string, room: number): Generator<Piece> {
  let text = "";
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    const wide = widthOf(segment);
    if (width + wide > room && text !== "") {
      yield { text, width };
      [text, width] = ["", 0];
    }
    text += segment;
    width += wide;
  }
  yield { text, width };
}
