/**
 * Catalog relations that hold the server's secrets: passwords and how to log in. The server keeps them from most users;
 * they are refused to all.
 */
import { Fault } from "../../base/fault.ts";
import type { Name } from "./syntax.ts";

const SECRET: ReadonlySet<string> = new Set([
  "pg_authid",
  "pg_shadow",
  "pg_user_mapping",
  "pg_user_mappings",
  "pg_file_settings",
  "pg_hba_file_rules",
  "pg_ident_file_mappings",
  "pg_subscription",
  "pg_largeobject",
  "user_mapping_options",
  "_pg_user_mappings",
]);

/** Schemas in which these names are the catalog's; without a schema, they may be. */
const CATALOGS = [undefined, "pg_catalog", "information_schema"];

/** Throws Fault `permission_denied` for the first of them. */
export function judgeRelations(relations: readonly Name[]): void {
  const secret = relations.find(({ schema, name }) => SECRET.has(name) && CATALOGS.includes(schema));
  if (secret === undefined) return;
  throw new Fault(
    "permission_denied",
    `Cannot run the statement: the relation ${secret.name} holds secrets of the server. Ask without it.`,
  );
}
