/**
 * A session as one HTML file that needs nothing else: questions, answers, each statement with its rows, and all SQL in order.
 */
import { Fault } from "../../base/fault.ts";
import type { Desk } from "./desk.ts";
import { type Content, type OmpMessage, textOf } from "./messages.ts";
import { sqlOf, sqlOfCall } from "./readable_text.ts";
import { messageOf } from "./session_tree.ts";

/** Rows of a result that are shown. */
const MAX_ROWS = 100;

/** The path of the file. A file that is there already is not overwritten. Throws Fault `unavailable`. */
export async function exportHtml(desk: Desk, wanted: string | undefined): Promise<string> {
  const html = await pageOf(desk);
  const { id } = desk.conversation.tree.header;
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(/[:T]/g, "-");
  const name = wanted ?? `saber-session-${stamp}_${id.slice(-8)}.html`;
  const path = name.startsWith("/") ? name : `${desk.cwd}/${name}`;
  for (let n = 1;; n++) {
    const free = n === 1 ? path : path.replace(/(\.html?)?$/i, `-${n}$1`);
    try {
      await Deno.writeTextFile(free, html, { createNew: true, mode: 0o600 });
      return free;
    } catch (cause) {
      if (cause instanceof Deno.errors.AlreadyExists && n < 100) continue;
      throw new Fault("unavailable", `Cannot write ${free}: the file cannot be created.`, { cause });
    }
  }
}

async function pageOf(desk: Desk): Promise<string> {
  const { tree, session } = desk.conversation;
  const messages = tree.branch().flatMap(messageOf);
  const title = tree.name ?? "A conversation with saber";
  const databases = desk.databases.list.map(({ name, displayName }) => `${name} (${displayName})`).join(", ");
  const parts: string[] = [];
  for (const message of messages) parts.push(await sectionOf(message, desk));
  const plan = desk.todos.phases.flatMap(({ name, tasks }) => [
    `<h3>${escaped(name)}</h3>`,
    ...tasks.map(({ content, status }) => `<p>[${status}] ${escaped(content)}</p>`),
  ]);
  const sql = messages.flatMap(sqlOf).map((text) => text.trim().replace(/;?$/, ";")).join("\n\n");
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>${
    escaped(title)
  }</title><style>${STYLE}</style></head><body>
<h1>${escaped(title)}</h1>
<p class="about">${escaped(databases)} · ${escaped(session.model.id)} · ${tree.header.timestamp}${
    usageOf(messages)
  }</p>
${parts.join("\n")}
${plan.length === 0 ? "" : `<h2>Plan</h2>\n${plan.join("\n")}`}
${sql === "" ? "" : `<h2>All SQL in order</h2>\n<pre>${escaped(sql)}</pre>`}
</body></html>
`;
}

/** Nothing runs and nothing is loaded, whatever stands in a cell or an answer. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}" +
  "pre{background:#f4f4f4;padding:.7rem;overflow:auto;white-space:pre-wrap}.user{border-left:4px solid #36c;padding-left:1rem}" +
  "img{max-width:100%}.error{color:#b00}.about,summary{color:#666}table{border-collapse:collapse;font-size:.85rem}" +
  "td,th{border:1px solid #ccc;padding:.15rem .5rem;text-align:left}";

async function sectionOf(message: OmpMessage, desk: Desk): Promise<string> {
  switch (message.role) {
    case "user":
      return `<section class="user"><p>${paragraphs(textOf(message.content))}</p>${
        imagesOf(message.content)
      }</section>`;
    case "assistant":
      return `<section>${message.content.map(blockOf).join("\n")}${
        failureOf(message.errorMessage)
      }</section>`;
    case "toolResult":
      return `<section>${await resultOf(message, desk)}</section>`;
    case "bashExecution":
      return `<section><pre>$ ${escaped(message.command)}\n${escaped(message.output)}</pre></section>`;
    case "custom":
      return message.display ? `<section><p>${paragraphs(textOf(message.content))}</p></section>` : "";
    case "compactionSummary":
      return `<section><p>${paragraphs(message.summary)}</p></section>`;
  }
}

type Block = Extract<OmpMessage, { role: "assistant" }>["content"][number];

function blockOf(block: Block): string {
  switch (block.type) {
    case "text":
      return `<p>${paragraphs(block.text)}</p>`;
    case "thinking":
      return `<details><summary>Thinking</summary><p>${paragraphs(block.thinking)}</p></details>`;
    case "toolCall": {
      const shown = sqlOfCall(block) ?? `${block.name} ${block.arguments.text}`;
      return `<pre>${escaped(shown)}</pre>`;
    }
  }
}

/** Tokens, and dollars where they are known. */
function usageOf(messages: readonly OmpMessage[]): string {
  const usages = messages.flatMap((message) => message.role === "assistant" ? [message.usage] : []);
  const tokens = usages.reduce((sum, { totalTokens }) => sum + totalTokens, 0);
  const cost = usages.reduce((sum, { cost }) => sum + cost.total, 0);
  return [...tokens > 0 ? [`${tokens} tokens`] : [], ...cost > 0 ? [`$${cost.toFixed(4)}`] : []]
    .map((text) => ` · ${text}`).join("");
}

/** Those that are images by their name and nothing but base64 by their content. */
function imagesOf(content: Content): string {
  return content.flatMap((part) => {
    if (part.type !== "image" || !/^image\/(png|jpeg|gif|webp)$/.test(part.mimeType)) return [];
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(part.data)) return [];
    return [`<img alt="" src="data:${part.mimeType};base64,${part.data}">`];
  }).join("\n");
}

function failureOf(message: string | undefined): string {
  return message === undefined ? "" : `<p class="error">${escaped(message)}</p>`;
}

async function resultOf(
  message: Extract<OmpMessage, { role: "toolResult" }>,
  { shelf }: Desk,
): Promise<string> {
  const text = textOf(message.content);
  if (message.isError) return `<p class="error">${escaped(text)}</p>`;
  const [id] = /qr_[0-9a-f]{32}/.exec(message.details?.text ?? "") ?? [];
  if (id === undefined) {
    const summary = `<summary>${escaped(message.toolName)}</summary>`;
    return `<details>${summary}<pre>${escaped(text)}</pre></details>${imagesOf(message.content)}`;
  }
  try {
    const { result, rows } = await shelf.results.page(id, { offset: 0, limit: MAX_ROWS });
    return `<p class="about">${result.rowCount} rows</p>${tableOf(result.columns, rows)}`;
  } catch {
    return `<p class="about">The rows of this result are no longer kept.</p>`;
  }
}

function tableOf(columns: readonly string[], rows: readonly string[]): string {
  const head = columns.map((name) => `<th>${escaped(name)}</th>`).join("");
  const body = rows.map((row) => {
    const cells = readExact(row);
    return `<tr>${columns.map((name) => `<td>${escaped(cellText(cells[name]))}</td>`).join("")}</tr>`;
  });
  return `<table><tr>${head}</tr>${body.join("")}</table>`;
}

/** Numbers are shown with the digits that they were stored with. */
function readExact(text: string): { readonly [name: string]: unknown } {
  return JSON.parse(text, (_key, value: unknown, ...[context]: unknown[]) => {
    const hasSource = typeof context === "object" && context !== null && "source" in context;
    return typeof value === "number" && hasSource ? String(context.source) : value;
  });
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function paragraphs(text: string): string {
  return escaped(text).replaceAll("\n", "<br>");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(
    '"',
    "&quot;",
  );
}
