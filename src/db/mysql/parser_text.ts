/**
 * A statement's tokens as text for the parser library: texts without their content, no comments, and what the library
 * does not know respelled (respelling.ts). What the library reads is only judged, never run.
 */
import type { Statement } from "../statement.ts";
import { respell } from "./respelling.ts";

export interface ParserText {
  readonly text: string;
  /** Of each token in the text: where it begins there, and where it begins in the statement. */
  readonly places: readonly { readonly at: number; readonly from: number }[];
}

export function parserText(statement: Statement): ParserText {
  const respelled = respell(statement);
  const places: { at: number; from: number }[] = [];
  let text = "";
  for (let index = 0; index <= statement.last; index++) {
    const token = statement.tokens[index];
    const piece = respelled.get(index) ?? (token?.kind === "text" ? "'s'" : source(statement, index));
    if (piece === "" || token === undefined) continue;
    const isChanged = respelled.has(index) || respelled.has(index - 1);
    if (isChanged || !touches(statement, index)) text += " ";
    places.push({ at: text.length, from: token.start });
    text += piece;
  }
  return { text, places };
}

function source({ sql, tokens }: Statement, index: number): string {
  return sql.slice(tokens[index]?.start, tokens[index]?.end);
}

/** Whether a token stands right behind the one before; two minus signs are kept apart. */
function touches({ tokens }: Statement, index: number): boolean {
  const [before, token] = [tokens[index - 1], tokens[index]];
  return before?.end === token?.start && !(before?.text === "-" && token?.text === "-");
}
