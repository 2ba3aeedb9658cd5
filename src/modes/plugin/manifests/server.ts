/**
 * What the host's forms need of every database server, whatever its kind.
 */
import type { DriverFacts } from "./manifest.ts";

export const SERVER_CAPABILITIES: DriverFacts["capabilities"] = {
  views: true,
  routines: true,
  routine_management: true,
  triggers: true,
  user_management: true,
  supports_ssl: true,
  connection_string: true,
  alter_primary_key: true,
  alter_column: true,
  create_foreign_keys: true,
  manage_tables: true,
};
