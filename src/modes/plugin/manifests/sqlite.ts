/**
 * SQLite, as the host's forms need it.
 */
import type { DriverFacts } from "./manifest.ts";

export const SQLITE: DriverFacts = {
  name: "SQLite (saber)",
  engine: "sqlite",
  description: "SQLite files with every value exact; long statements can be stopped.",
  default_port: null,
  color: "#0f80cc",
  icon: "file",
  connection_metadata: true,
  capabilities: {
    file_based: true,
    file_extensions: ["db", "sqlite", "sqlite3", "db3"],
    views: true,
    triggers: true,
    connection_string: false,
    identifier_quote: '"',
    sql_dialect: "sqlite",
    alter_primary_key: false,
    alter_column: false,
    create_foreign_keys: false,
    manage_tables: true,
    auto_increment_keyword: "AUTOINCREMENT",
    inline_pk: true,
  },
  types: [
    ["INTEGER", "numeric", "counts"],
    ["REAL", "numeric"],
    ["NUMERIC", "numeric"],
    ["TEXT", "string"],
    ["BLOB", "binary"],
    ["BOOLEAN", "other"],
    ["DATE", "date"],
    ["DATETIME", "date"],
    ["JSON", "json"],
  ],
};
