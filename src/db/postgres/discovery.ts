/**
 * Which way the catalog is read: PostgreSQL's own, or the plain one on servers that lack a part of it.
 */
import { lacksCatalog, postgresFault } from "./faults.ts";
import { type Ask, reading, type Source } from "./lease.ts";
import { writeArray } from "./text_formats.ts";

/** Hidden besides what the user hides. */
const SYSTEM_SCHEMAS = [
  "pg_catalog",
  "information_schema",
  "_timescaledb_internal",
  "_timescaledb_cache",
  "_timescaledb_config",
  "_timescaledb_catalog",
];

/** Reads with the parameters that catalog_queries.ts names. */
type Road<Found> = (ask: Ask, parameters: readonly string[]) => Promise<Found>;

export interface Discovery {
  readonly source: Source;
  readonly excludeSchemas: readonly string[];
  readonly signal: AbortSignal;
}

/** Throws Fault. */
export async function discover<Found>(
  { source, excludeSchemas, signal }: Discovery,
  { pattern, roads }: {
    readonly pattern: string | undefined;
    readonly roads: { readonly full: Road<Found>; readonly plain: Road<Found> };
  },
): Promise<Found> {
  const parameters = catalogParameters(pattern, [...SYSTEM_SCHEMAS, ...excludeSchemas]);
  const take = (road: Road<Found>) => reading(source, { signal, use: (ask) => road(ask, parameters) });
  try {
    return await take(roads.full).catch((error) => {
      if (lacksCatalog(error)) return take(roads.plain);
      throw error;
    });
  } catch (error) {
    throw postgresFault(error, "read the catalog");
  }
}

/** A pattern with a dot matches schema and table apart, one without the table, or both joined. */
function catalogParameters(pattern: string | undefined, hidden: readonly string[]): string[] {
  const array = writeArray(hidden);
  if (pattern === undefined) return [array, "%", "%", "%"];
  const dot = pattern.indexOf(".");
  if (dot < 0) return [array, "%", pattern, pattern];
  return [array, pattern.slice(0, dot), pattern.slice(dot + 1), ""];
}
