/**
 * PostgreSQL, as the host's forms need it.
 */
import type { DriverFacts } from "./manifest.ts";
import { SERVER_CAPABILITIES } from "./server.ts";

export const POSTGRES: DriverFacts = {
  name: "PostgreSQL (saber)",
  engine: "postgresql",
  description:
    "PostgreSQL 12 to 18 with every value exact, open transactions by tab and real TLS verification.",
  default_port: 5432,
  default_username: "postgres",
  color: "#336791",
  icon: "database",
  connection_metadata: true,
  capabilities: {
    ...SERVER_CAPABILITIES,
    schemas: true,
    materialized_views: true,
    connection_string_example: "postgresql://user:password@localhost:5432/database",
    identifier_quote: '"',
    sql_dialect: "postgres",
    serial_type: "SERIAL",
  },
  types: [
    ["SMALLINT", "numeric", "counts"],
    ["INTEGER", "numeric", "counts"],
    ["BIGINT", "numeric", "counts"],
    ["NUMERIC", "numeric", "precision"],
    ["REAL", "numeric"],
    ["DOUBLE PRECISION", "numeric"],
    ["MONEY", "numeric"],
    ["BOOLEAN", "other"],
    ["TEXT", "string"],
    ["VARCHAR", "string", "length"],
    ["CHAR", "string", "length"],
    ["UUID", "string"],
    ["BYTEA", "binary"],
    ["DATE", "date"],
    ["TIME", "date"],
    ["TIMESTAMP", "date"],
    ["TIMESTAMP WITH TIME ZONE", "date"],
    ["INTERVAL", "date"],
    ["JSON", "json"],
    ["JSONB", "json"],
    ["INET", "other"],
    ["CIDR", "other"],
    ["MACADDR", "other"],
    ["XML", "other"],
    ["TEXT[]", "other"],
    ["INTEGER[]", "other"],
  ],
  type_mappings: { DATETIME: "TIMESTAMP", JSON: "JSONB", REAL: "DOUBLE PRECISION" },
};
