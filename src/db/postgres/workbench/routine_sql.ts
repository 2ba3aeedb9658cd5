/**
 * PostgreSQL's answers to the questions of workbench.ts about functions, procedures and triggers.
 */
import { quoteText } from "../../sql_text.ts";
import type { CatalogSql, Scope } from "../../workbench.ts";

const schemaOf = ({ schema }: Scope) => schema === null ? "current_schema()" : quoteText(schema);

const FROM_PROC = "FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace";
const inScope = (scope: Scope) =>
  `n.nspname = ${schemaOf(scope)} AND p.prokind IN ('f', 'p', 'w')${
    scope.name === undefined ? "" : ` AND p.proname = ${quoteText(scope.name)}`
  }`;
const isKind = ({ kind }: { readonly kind: string }) =>
  `(p.prokind = 'p') = ${kind.toUpperCase() === "PROCEDURE"}`;
/** What an extension brought is not the user's. */
const IS_OWN =
  "NOT EXISTS (SELECT FROM pg_catalog.pg_depend e WHERE e.classid = 'pg_catalog.pg_proc'::regclass AND e.objid = p.oid AND e.deptype = 'e')";

const FROM_TRIGGER = `FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace`;
/** Bits of tgtype (PostgreSQL: catalog/pg_trigger.h). */
const EVENT =
  `concat_ws(' OR ', CASE WHEN t.tgtype & 8 > 0 THEN 'DELETE' END, CASE WHEN t.tgtype & 4 > 0 THEN 'INSERT' END,
  CASE WHEN t.tgtype & 32 > 0 THEN 'TRUNCATE' END, CASE WHEN t.tgtype & 16 > 0 THEN 'UPDATE' END)`;
const TIMING =
  "CASE WHEN t.tgtype & 2 > 0 THEN 'BEFORE' WHEN t.tgtype & 64 > 0 THEN 'INSTEAD OF' ELSE 'AFTER' END";

export const ROUTINE_CATALOG: Pick<
  CatalogSql,
  | "routines"
  | "routineParameters"
  | "routineDefinition"
  | "routineSignatures"
  | "triggers"
  | "triggerDefinition"
> = {
  routines: (scope) => `
    SELECT DISTINCT p.proname, CASE p.prokind WHEN 'p' THEN 'PROCEDURE' ELSE 'FUNCTION' END
    ${FROM_PROC} WHERE ${inScope(scope)} AND ${IS_OWN} ORDER BY 1, 2`,
  // of several with one name, the oldest: the host knows names only
  routineParameters: (scope) => `
    WITH p AS (SELECT p.* ${FROM_PROC} WHERE ${inScope(scope)} ORDER BY p.oid LIMIT 1)
    SELECT '', format_type(prorettype, NULL), 'OUT', 0 FROM p
    WHERE prokind <> 'p' AND prorettype NOT IN (2278, 2279, 3838) AND (proargmodes IS NULL OR NOT proargmodes && '{o,b,t}'::"char"[])
    UNION ALL
    SELECT coalesce(p.proargnames[a.place], ''), format_type(a.type, NULL),
      CASE coalesce(p.proargmodes[a.place], 'i') WHEN 'o' THEN 'OUT' WHEN 't' THEN 'OUT' WHEN 'b' THEN 'INOUT' ELSE 'IN' END, a.place
    FROM p CROSS JOIN LATERAL unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) WITH ORDINALITY AS a (type, place)
    ORDER BY 4`,
  routineDefinition: (scope) => `
    SELECT pg_get_functiondef(p.oid) ${FROM_PROC} WHERE ${inScope(scope)} AND ${
    isKind(scope)
  } ORDER BY p.oid`,
  routineSignatures: (scope) => `
    SELECT quote_ident(n.nspname) || '.' || quote_ident(p.proname) || '(' || pg_get_function_identity_arguments(p.oid) || ')'
    ${FROM_PROC} WHERE ${inScope(scope)} AND ${isKind(scope)} ORDER BY p.oid`,
  triggers: (scope) => `
    SELECT t.tgname, c.relname, ${EVENT}, ${TIMING} ${FROM_TRIGGER}
    WHERE NOT t.tgisinternal AND n.nspname = ${schemaOf(scope)} ORDER BY 1, 2`,
  triggerDefinition: (scope) => `
    SELECT pg_get_triggerdef(t.oid, true) ${FROM_TRIGGER}
    WHERE NOT t.tgisinternal AND n.nspname = ${schemaOf(scope)} AND t.tgname = ${
    quoteText(scope.name ?? "")
  }${scope.table === null ? "" : ` AND c.relname = ${quoteText(scope.table)}`}`,
};
