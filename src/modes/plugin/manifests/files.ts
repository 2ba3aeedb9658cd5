/**
 * Folders of data files, as the host's forms need them.
 */
import type { DriverFacts } from "./manifest.ts";

export const FILES: DriverFacts = {
  name: "CSV, Parquet and JSON lines (saber)",
  engine: "csv",
  description:
    "A folder of CSV, TSV, Parquet and JSON lines files as one database, read in place and never written.",
  default_port: null,
  color: "#4a9c5d",
  icon: "folder",
  capabilities: {
    folder_based: true,
    connection_string: false,
    identifier_quote: '"',
    sql_dialect: "generic",
    manage_tables: false,
    alter_primary_key: false,
    readonly: true,
  },
  types: [],
};
