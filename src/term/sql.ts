/**
 * SQL in colours. sql-highlight finds the keywords, texts and numbers; it is for looks only and decides nothing.
 */
import { getSegments } from "sql-highlight";
import type { Role } from "./paint.ts";
import { lines } from "./plain_text.ts";
import { type Span, wrap, type WrapOptions } from "./wrap.ts";

const ROLES: { readonly [name: string]: Role } = {
  keyword: "keyword",
  function: "accent",
  string: "text",
  number: "number",
  comment: "muted",
};

/** The statement as lines that fit. */
export function sqlLines(sql: string, options: WrapOptions): string[] {
  return wrap(sqlSpans(sql), options);
}

export function sqlSpans(sql: string): Span[] {
  const text = lines(sql.trimEnd()).replaceAll("\t", "  ");
  return getSegments(text).map(({ name, content }) => {
    const role = Object.hasOwn(ROLES, name) ? ROLES[name] : undefined;
    return { text: content, roles: role ? [role] : [] };
  });
}
