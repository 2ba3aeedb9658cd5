/**
 * What could complete the word before the cursor: a command of the session, a table after `@`, a column after its table.
 */
import type { Catalog } from "./catalog.ts";

export interface Completion {
  /** Where the completed part begins. */
  readonly from: number;
  /** Best first. */
  readonly options: readonly string[];
}

const NONE: Completion = { from: 0, options: [] };

/** `before`: the text up to the cursor. Throws what reading the catalogue throws. */
export async function complete(
  before: string,
  { commands, catalog }: { readonly commands: readonly string[]; readonly catalog: Catalog },
): Promise<Completion> {
  if (/^\/\S*$/.test(before)) return { from: 0, options: commands.filter((name) => name.startsWith(before)) };
  const [, word] = /(?:^|\s)@(\S*)$/.exec(before) ?? [];
  if (word === undefined) return NONE;
  const from = before.length - word.length;
  const tables = await catalog.tables();
  const names = [...new Set(tables.map(({ name }) => name))];
  const dot = word.lastIndexOf(".");
  if (dot > 0 && names.includes(word.slice(0, dot))) {
    const columns = await catalog.columns(word.slice(0, dot));
    return { from: from + dot + 1, options: ranked(columns, word.slice(dot + 1)) };
  }
  return { from, options: ranked(names, word) };
}

/** Those that begin with the word, then those whose last part does, then those that hold it. */
function ranked(names: readonly string[], word: string): string[] {
  const wanted = word.toLowerCase();
  const rank = (name: string) => {
    const lower = name.toLowerCase();
    if (lower.startsWith(wanted)) return 0;
    if (lower.slice(lower.lastIndexOf(".") + 1).startsWith(wanted)) return 1;
    return lower.includes(wanted) ? 2 : 3;
  };
  return names.filter((name) => rank(name) < 3).toSorted((a, b) => rank(a) - rank(b));
}
