/**
 * Definitions in PostgreSQL's SQL.
 */
import { quoteName } from "../../sql_text.ts";
import { qualified, standardDefinitions } from "../../standard_definitions.ts";
import type { ColumnDefinition, DefinitionSql } from "../../workbench.ts";

const SERIALS: ReadonlyMap<string, string> = new Map([
  ["bigint", "BIGSERIAL"],
  ["int8", "BIGSERIAL"],
  ["bigserial", "BIGSERIAL"],
  ["smallint", "SMALLSERIAL"],
  ["int2", "SMALLSERIAL"],
  ["smallserial", "SMALLSERIAL"],
]);

const standard = standardDefinitions({
  quote: quoteName,
  autoIncrement: ({ data_type }) => SERIALS.get(data_type.toLowerCase()) ?? "SERIAL",
  conversion: using,
});

/** Types that turn into each other by themselves. */
const FAMILIES = [
  /^(?:smallint|int2|integer|int|int4|bigint|int8|numeric|decimal|real|float4|float8|double precision)\b/i,
  /^(?:text|varchar|character varying|char|character|bpchar)\b/i,
  /^(?:timestamp|date)\b/i,
];

export const DEFINITIONS: DefinitionSql = {
  ...standard,
  dropForeignKey: (
    table,
    key,
  ) => [`ALTER TABLE ${qualified(table, quoteName)} DROP CONSTRAINT ${quoteName(key)}`],
  refreshMaterializedView: (view) => [`REFRESH MATERIALIZED VIEW ${qualified(view, quoteName)}`],
  dropTrigger: (table, trigger) => [
    `DROP TRIGGER IF EXISTS ${quoteName(trigger)} ON ${qualified(table, quoteName)}`,
  ],
  // without arguments, the server refuses a name that several have
  dropRoutine: (routine, kind) => [
    `DROP ${kind.toUpperCase() === "PROCEDURE" ? "PROCEDURE" : "FUNCTION"} ${qualified(routine, quoteName)}`,
  ],
};

function using(from: ColumnDefinition, to: ColumnDefinition): string {
  const isFamily = FAMILIES.some((family) => family.test(from.data_type) && family.test(to.data_type));
  return isFamily ? "" : ` USING ${quoteName(to.name)}::${to.data_type}`;
}
