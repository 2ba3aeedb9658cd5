/**
 * The addresses of resources. They name databases by their aliases and hold no host, user or path.
 */

export const SCHEMA_TEMPLATE = "saber://{db}/schema/{table}";

/** A list of tables, or with `table` (schema.table) the description of one. */
export interface ResourceName {
  readonly database: string;
  readonly table?: string;
}

export function resourceUri({ database, table }: ResourceName): string {
  const place = table === undefined ? "tables" : `schema/${encodeURIComponent(table)}`;
  return `saber://${encodeURIComponent(database)}/${place}`;
}

/** Undefined for an address that is none of ours. */
export function readResourceUri(uri: string): ResourceName | undefined {
  const [, database, table] = /^saber:\/\/([^/?#]+)\/(?:tables|schema\/([^/?#]+))$/.exec(uri) ?? [];
  if (database === undefined) return undefined;
  try {
    const name = decodeURIComponent(database);
    return table === undefined ? { database: name } : { database: name, table: decodeURIComponent(table) };
  } catch {
    return undefined; // its percent escapes are no text
  }
}
