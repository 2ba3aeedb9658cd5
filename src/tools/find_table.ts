/**
 * One table of a database by its exact name. What looks for similar names is nearest_names.ts.
 */
import type { Database, TableDetail } from "../db/driver.ts";

interface Wanted {
  readonly schema: string;
  readonly name: string;
}

/** The table with all its parts; undefined when discovery does not show it. */
export async function findTable(
  database: Database,
  { schema, name, signal }: Wanted & { readonly signal: AbortSignal },
): Promise<TableDetail | undefined> {
  const pattern = `${anyMark(schema)}.${anyMark(name)}`;
  const found = await database.describe({ pattern, signal });
  return found.find((table) => table.schema === schema && table.name === name);
}

/** As a pattern that fits at least this name: engines differ in what a backslash means, and a dot divides. */
function anyMark(name: string): string {
  return name.replace(/[\\.]/g, "_");
}
