/**
 * What the host is told of a driver before it is started. What an engine can do and which types it has is data, one file each.
 */
import type { Json } from "../../../base/json.ts";
import type { DriverId } from "../drivers.ts";
import { DUCKDB } from "./duckdb.ts";
import { FILES } from "./files.ts";
import { MYSQL } from "./mysql.ts";
import { POSTGRES } from "./postgres.ts";
import { SETTINGS } from "./settings.ts";
import { SQLITE } from "./sqlite.ts";

/** A type for the host's forms. */
export type DataType = readonly [name: string, category: Category, takes?: "length" | "precision" | "counts"];
type Category = "numeric" | "string" | "date" | "binary" | "json" | "spatial" | "other";

export interface DriverFacts {
  readonly name: string;
  readonly engine: string;
  readonly description: string;
  readonly default_port: number | null;
  readonly default_username?: string;
  readonly color: string;
  readonly icon: string;
  readonly connection_metadata?: boolean;
  readonly capabilities: { readonly [key: string]: Json };
  readonly types: readonly DataType[];
  readonly type_mappings?: { readonly [inferred: string]: string };
}

const FACTS: { readonly [id in DriverId]: DriverFacts } = {
  "saber-postgres": POSTGRES,
  "saber-mysql": MYSQL,
  "saber-sqlite": SQLITE,
  "saber-duckdb": DUCKDB,
  "saber-files": FILES,
};

/** The manifest of a driver; `executable` is a path within its folder. */
export function manifestOf(
  id: DriverId,
  { version, executable }: { readonly version: string; readonly executable: string },
): { readonly [key: string]: Json | undefined } {
  const { types, capabilities, ...facts } = FACTS[id];
  return {
    id,
    kind: "driver",
    paradigms: ["relational", "sql"],
    version,
    executable,
    license: "MIT",
    ...facts,
    capabilities: { ...NONE, ...capabilities },
    data_types: types.map(([name, category, takes]) => ({
      name,
      category,
      requires_length: takes === "length",
      requires_precision: takes === "precision",
      ...takes === "length" ? { default_length: "255" } : {},
      ...takes === "counts" ? { supports_auto_increment: true } : {},
    })),
    type_mappings: facts.type_mappings ?? {},
    settings: SETTINGS,
  };
}

/** What the host expects to be said outright. */
const NONE = {
  schemas: false,
  views: false,
  routines: false,
  triggers: false,
  materialized_views: false,
  routine_management: false,
  user_management: false,
  file_based: false,
  folder_based: false,
  table_query_templates: true,
  explain: true,
  readonly: false,
};
