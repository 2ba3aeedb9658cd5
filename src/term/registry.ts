/**
 * The forms in which rows are printed, each loaded when it is asked for.
 */
import { Fault } from "../base/fault.ts";
import { shown } from "../base/shown.ts";
import type { RowFormat } from "./row_format.ts";

const FORMATS = {
  table: async () => (await import("./table.ts")).table,
  json: async () => (await import("./json_rows.ts")).json,
  jsonl: async () => (await import("./json_rows.ts")).jsonl,
  csv: async () => (await import("./csv_rows.ts")).csv,
  markdown: async () => (await import("./markdown_rows.ts")).markdown,
} as const satisfies { readonly [name: string]: () => Promise<RowFormat> };

export type FormatName = keyof typeof FORMATS;

/** The name that `--output` gave. Throws Fault `usage` for one that is no form. */
export function formatName(text: string): FormatName {
  for (const name in FORMATS) if (name === text && isName(name)) return name;
  const names = Object.keys(FORMATS).join(", ");
  throw new Fault("usage", `Unknown output form ${shown(text)}. There are ${names}.`);
}

export async function loadFormat(name: FormatName): Promise<RowFormat> {
  return await FORMATS[name]();
}

function isName(text: string): text is FormatName {
  return Object.hasOwn(FORMATS, text);
}
