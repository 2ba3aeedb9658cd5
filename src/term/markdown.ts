/**
 * Markdown as lines for a terminal. marked divides it into blocks; HTML in it is shown as text, links with their address.
 */
import { lexer, type Token, type Tokens } from "marked";
import { type GridCell, headLines, measure, rowLine } from "./grid.ts";
import type { Paint, Role } from "./paint.ts";
import { lines, oneLine } from "./plain_text.ts";
import { sqlSpans } from "./sql.ts";
import { type Span, wrap, type WrapOptions } from "./wrap.ts";

export interface MarkdownOptions {
  readonly width: number;
  readonly paint: Paint;
}

/** Blocks that are whole, and the last one, which may still grow. */
export interface Blocks {
  readonly whole: readonly string[];
  readonly last: string;
}

/** The source text of the blocks in Markdown that is still being written. */
export function blocksOf(markdown: string): Blocks {
  const raw = lexer(markdown).map((token) => token.raw);
  return { whole: raw.slice(0, -1), last: raw.at(-1) ?? "" };
}

export function markdownLines(markdown: string, options: MarkdownOptions): string[] {
  const found = lexer(markdown).flatMap((token) => block(token, options));
  while (found.at(-1) === "") found.pop();
  return found;
}

/** The lines of a block, with an empty one behind it. */
function block(token: Token, options: MarkdownOptions): string[] {
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return [...wrap(inline(childrenOf(token), ["title"]), options), ""];
    case "code":
      return [...codeLines(token, options), ""];
    case "blockquote":
      return [...nested(token, { ...options, first: "│ ", rest: "│ " }), ""];
    case "list":
      return [...listLines(token, options), ""];
    case "table":
      return [...tableLines(token, options), ""];
    case "hr":
      return [options.paint("muted", "─".repeat(Math.min(options.width, 40))), ""];
    default: {
      const children = childrenOf(token);
      const spans = children.length > 0 ? inline(children, []) : [{ text: lines(token.raw.trim()) }];
      return [...wrap(spans, options), ""];
    }
  }
}

function nested(
  token: Token,
  { width, paint, first = "", rest = first }: WrapOptions,
): string[] {
  const inner = { width: Math.max(1, width - rest.length), paint };
  const found = childrenOf(token).flatMap((child) => block(child, inner));
  while (found.at(-1) === "") found.pop();
  return found.map((line, index) => paint("muted", index === 0 ? first : rest) + line);
}

function listLines(token: Token, options: MarkdownOptions): string[] {
  if (!isList(token)) return [];
  const start = typeof token.start === "number" ? token.start : 1;
  return token.items.flatMap((item, index) => {
    const first = token.ordered ? `${start + index}. ` : item.task ? (item.checked ? "☑ " : "☐ ") : "• ";
    return nested(item, { ...options, first, rest: " ".repeat(first.length) });
  });
}

function codeLines(token: Token, options: MarkdownOptions): string[] {
  const language = "lang" in token && typeof token.lang === "string" ? token.lang : "";
  const text = "text" in token && typeof token.text === "string" ? token.text : "";
  const spans: Span[] = /^sql\b/i.test(language)
    ? sqlSpans(text)
    : [{ text: lines(text), roles: ["accent"] }];
  return wrap(spans, { ...options, first: "  " });
}

function tableLines(token: Token, { width, paint }: MarkdownOptions): string[] {
  if (!isTable(token)) return [];
  const cell = ({ tokens, align }: Tokens.TableCell): GridCell => ({
    text: oneLine(inline(tokens, []).map(({ text }) => text).join("")),
    isNull: false,
    isNumber: align === "right",
  });
  const rows = token.rows.map((row) => row.map(cell));
  const layout = { width, paint };
  const columns = measure(token.header.map((each) => cell(each).text), { rows, width });
  if (!columns) return wrap([{ text: lines(token.raw) }], layout);
  return [...headLines(columns, layout), ...rows.map((row) => rowLine(row, { columns, layout }))];
}

/** Text with its emphasis; `roles` are those of what stands around it. */
function inline(tokens: readonly Token[], roles: readonly Role[]): Span[] {
  return tokens.flatMap((token): Span[] => {
    const children = childrenOf(token);
    switch (token.type) {
      case "strong":
        return inline(children, [...roles, "strong"]);
      case "em":
        return inline(children, [...roles, "emphasis"]);
      case "codespan":
        return [{ text: textOf(token), roles: [...roles, "accent"] }];
      case "br":
        return [{ text: "\n", roles }];
      case "link": {
        const address = "href" in token && typeof token.href === "string" ? oneLine(token.href) : "";
        const spans = inline(children, [...roles, "accent"]);
        const isShown = spans.map(({ text }) => text).join("") === address;
        return isShown ? spans : [...spans, { text: ` (${address})`, roles: ["muted"] }];
      }
      default:
        return children.length > 0 ? inline(children, roles) : [{ text: textOf(token), roles }];
    }
  });
}

function textOf(token: Token): string {
  const text = "text" in token && typeof token.text === "string" ? token.text : token.raw;
  return lines(text).replaceAll(/[\n\t]/g, " ");
}

function childrenOf(token: Token): Token[] {
  return "tokens" in token && Array.isArray(token.tokens) ? token.tokens : [];
}

function isList(token: Token): token is Tokens.List {
  return token.type === "list";
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === "table";
}
