/**
 * MySQL and MariaDB, as the host's forms need them.
 */
import type { DriverFacts } from "./manifest.ts";
import { SERVER_CAPABILITIES } from "./server.ts";

export const MYSQL: DriverFacts = {
  name: "MySQL and MariaDB (saber)",
  engine: "mysql",
  description:
    "MySQL and MariaDB with every value exact, open transactions by tab and real TLS verification.",
  default_port: 3306,
  default_username: "root",
  color: "#00758f",
  icon: "database",
  connection_metadata: true,
  capabilities: {
    ...SERVER_CAPABILITIES,
    connection_string_example: "mysql://user:password@localhost:3306/database",
    identifier_quote: "`",
    sql_dialect: "mysql",
    auto_increment_keyword: "AUTO_INCREMENT",
  },
  types: [
    ["TINYINT", "numeric", "counts"],
    ["SMALLINT", "numeric", "counts"],
    ["MEDIUMINT", "numeric", "counts"],
    ["INT", "numeric", "counts"],
    ["BIGINT", "numeric", "counts"],
    ["DECIMAL", "numeric", "precision"],
    ["FLOAT", "numeric"],
    ["DOUBLE", "numeric"],
    ["BIT", "numeric", "length"],
    ["CHAR", "string", "length"],
    ["VARCHAR", "string", "length"],
    ["TEXT", "string"],
    ["MEDIUMTEXT", "string"],
    ["LONGTEXT", "string"],
    ["BINARY", "binary", "length"],
    ["VARBINARY", "binary", "length"],
    ["BLOB", "binary"],
    ["MEDIUMBLOB", "binary"],
    ["LONGBLOB", "binary"],
    ["DATE", "date"],
    ["TIME", "date"],
    ["DATETIME", "date"],
    ["TIMESTAMP", "date"],
    ["YEAR", "date"],
    ["JSON", "json"],
    ["GEOMETRY", "spatial"],
    ["POINT", "spatial"],
  ],
  type_mappings: { REAL: "DOUBLE", INTEGER: "INT" },
};
