/**
 * Definitions in DuckDB's SQL.
 */
import { quoteName, quoteText } from "../../sql_text.ts";
import { cannot, qualified, standardDefinitions } from "../../standard_definitions.ts";
import type { DefinitionSql } from "../../workbench.ts";

const standard = standardDefinitions({
  quote: quoteName,
  // a sequence would have to be made first
  autoIncrement: ({ data_type }) => `${data_type} NOT NULL`,
});

export const DEFINITIONS: DefinitionSql = {
  ...standard,
  createTable: (table, columns) => {
    const counted = columns.find((column) => column.is_auto_increment);
    if (counted === undefined) return standard.createTable(table, columns);
    const sequence = qualified(
      { schema: table.schema, table: `${table.table}_${counted.name}_seq` },
      quoteName,
    );
    return [
      `CREATE SEQUENCE ${sequence}`,
      ...standard.createTable(
        table,
        columns.map((column) =>
          column === counted
            ? { ...column, is_auto_increment: false, default_value: `nextval(${quoteText(sequence)})` }
            : column
        ),
      ),
    ];
  },
  addColumn: (table, column) => {
    // DuckDB takes no constraint with a new column
    const added = standard.addColumn(table, {
      ...column,
      is_nullable: true,
      is_pk: false,
      is_auto_increment: false,
    });
    const name = qualified(table, quoteName);
    return column.is_nullable
      ? added
      : [...added, `ALTER TABLE ${name} ALTER COLUMN ${quoteName(column.name)} SET NOT NULL`];
  },
  createForeignKey: () =>
    cannot("add the foreign key", "DuckDB takes foreign keys only in CREATE TABLE. Make a new table"),
  dropForeignKey: () =>
    cannot("drop the foreign key", "DuckDB keeps foreign keys in CREATE TABLE. Make a new table"),
};
