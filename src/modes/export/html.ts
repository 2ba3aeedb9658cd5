/**
 * A conversation as one web page: no script, nothing loaded from anywhere, which its own policy forbids as well.
 */
import { membersOf, textOf } from "../../base/json_parts.ts";
import type { Outcome, ShownRows } from "../view/transcript.ts";
import { aboutLine } from "./markdown.ts";
import type { ExportedThread } from "./document.ts";
import { escapeHtml, markdownHtml } from "./html_text.ts";

const STYLE = `:root{color-scheme:light dark;--line:#8884;--soft:#8881;--quiet:#888}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem}header p,.note{color:var(--quiet);font-size:.85rem}
.question{border-left:4px solid #5e81ac;padding:.2rem 1rem;margin:2rem 0 1rem;font-weight:600;white-space:pre-wrap}
pre{background:var(--soft);padding:.8rem;overflow-x:auto;border-radius:6px}
.rows{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{border:1px solid var(--line);padding:.25rem .6rem;text-align:left;vertical-align:top;white-space:pre-wrap}
th{background:var(--soft)}td.number{text-align:right}td.null{color:var(--quiet);font-style:italic}
.error{color:#bf616a}summary{cursor:pointer}`;

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export async function htmlOf({ about, entries }: ExportedThread): Promise<string> {
  const title = escapeHtml(about.title.slice(0, 200));
  const body: string[] = [];
  for (const entry of entries) {
    switch (entry.kind) {
      case "question":
        body.push(`<p class="question">${escapeHtml(entry.text)}</p>`);
        break;
      case "answer":
        body.push(`<div>${await markdownHtml(entry.text)}</div>`);
        break;
      case "call":
        body.push(`<p class="note">${escapeHtml(entry.text)}</p>`);
        break;
      case "statement": {
        const { sql, database } = entry.call;
        const summary = database === undefined ? "SQL" : `SQL on ${escapeHtml(database)}`;
        body.push(`<details open><summary>${summary}</summary><pre><code>${escapeHtml(sql)}</code></pre>`);
        body.push(`${outcomeHtml(entry.outcome)}</details>`);
      }
    }
  }
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
${STYLE}
</style>
</head>
<body>
<header><h1>${title}</h1><p>${escapeHtml(aboutLine(about))}</p></header>
<main>
${body.join("\n")}
</main>
</body>
</html>
`;
}

function outcomeHtml(outcome: Outcome): string {
  switch (outcome.kind) {
    case "error":
      return `<p class="error">${escapeHtml(outcome.text)}</p>`;
    case "changed":
      return `<p class="note">Rows changed: ${outcome.affected ?? "unknown"}</p>`;
    case "rows":
      return tableHtml(outcome.rows);
  }
}

function tableHtml({ columns, rows, note }: ShownRows): string {
  const head = columns.map((name) => `<th>${escapeHtml(name)}</th>`).join("");
  const body = rows.map((row) => `<tr>${membersOf(row).map(([, json]) => cellHtml(json)).join("")}</tr>`);
  return `<div class="rows"><table><thead><tr>${head}</tr></thead><tbody>
${body.join("\n")}
</tbody></table></div><p class="note">${escapeHtml(note)}</p>`;
}

function cellHtml(json: string): string {
  if (json === "null") return '<td class="null">NULL</td>';
  if (/^-?\d/.test(json)) return `<td class="number">${json}</td>`;
  return `<td>${escapeHtml(json.startsWith('"') ? textOf(json) : json)}</td>`;
}
