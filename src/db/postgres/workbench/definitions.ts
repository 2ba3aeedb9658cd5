/**
 * Definitions in PostgreSQL's SQL.
 */
import { quoteName } from "../../sql_text.ts";
import { cannot, qualified, standardDefinitions } from "../../standard_definitions.ts";
import type { ColumnDefinition, DefinitionSql } from "../../workbench.ts";

const SERIALS: { readonly [type: string]: string } = {
  bigint: "BIGSERIAL",
  int8: "BIGSERIAL",
  bigserial: "BIGSERIAL",
  smallint: "SMALLSERIAL",
  int2: "SMALLSERIAL",
  smallserial: "SMALLSERIAL",
};

const standard = standardDefinitions({
  quote: quoteName,
  autoIncrement: ({ data_type }) => SERIALS[data_type.toLowerCase()] ?? "SERIAL",
});

/** Types that turn into each other by themselves. */
const FAMILIES = [
  /^(?:smallint|int2|integer|int|int4|bigint|int8|numeric|decimal|real|float4|float8|double precision)\b/i,
  /^(?:text|varchar|character varying|char|character|bpchar)\b/i,
  /^(?:timestamp|date)\b/i,
];

export const DEFINITIONS: DefinitionSql = {
  ...standard,
  alterColumn: (table, { from, to }) => {
    const name = qualified(table, quoteName);
    const column = `ALTER TABLE ${name} ALTER COLUMN ${quoteName(to.name)}`;
    const statements = from.name === to.name
      ? []
      : [`ALTER TABLE ${name} RENAME COLUMN ${quoteName(from.name)} TO ${quoteName(to.name)}`];
    if (from.data_type.toLowerCase() !== to.data_type.toLowerCase()) {
      statements.push(`${column} TYPE ${to.data_type}${using(from, to)}`);
    }
    if (from.is_nullable !== to.is_nullable) {
      statements.push(`${column} ${to.is_nullable ? "DROP" : "SET"} NOT NULL`);
    }
    const [before, after] = [from.default_value ?? "", to.default_value ?? ""];
    if (before !== after) {
      statements.push(`${column} ${after === "" ? "DROP DEFAULT" : `SET DEFAULT ${after}`}`);
    }
    return statements.length > 0 ? statements : cannot("change the column", "No changes detected");
  },
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
