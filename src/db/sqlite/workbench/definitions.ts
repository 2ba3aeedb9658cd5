/**
 * Definitions in SQLite's SQL, which can rename columns and not change them otherwise.
 */
import { quoteName } from "../../sql_text.ts";
import { cannot, qualified, standardDefinitions } from "../../standard_definitions.ts";
import type { DefinitionSql } from "../../workbench.ts";

const standard = standardDefinitions({
  quote: quoteName,
  autoIncrement: () => "INTEGER PRIMARY KEY AUTOINCREMENT",
  inlineKey: true,
});

export const DEFINITIONS: DefinitionSql = {
  ...standard,
  alterColumn: (table, { from, to }) => {
    const isSame = from.data_type.toLowerCase() === to.data_type.toLowerCase() &&
      from.is_nullable === to.is_nullable && (from.default_value ?? "") === (to.default_value ?? "");
    if (!isSame) {
      return cannot(
        "change the column",
        "SQLite can only rename columns. Make a new table and copy the rows",
      );
    }
    if (from.name === to.name) return cannot("change the column", "No changes detected");
    return [
      `ALTER TABLE ${qualified(table, quoteName)} RENAME COLUMN ${quoteName(from.name)} TO ${
        quoteName(to.name)
      }`,
    ];
  },
  // SQLite names the schema with the index and never with the table.
  createIndex: (table, index) => [
    `CREATE ${index.unique ? "UNIQUE " : ""}INDEX ${
      qualified({ schema: table.schema, table: index.name }, quoteName)
    } ON ${quoteName(table.table)} (${index.columns.map(quoteName).join(", ")})`,
  ],
  createForeignKey: () =>
    cannot("add the foreign key", "SQLite takes foreign keys only in CREATE TABLE. Make a new table"),
  dropForeignKey: () =>
    cannot("drop the foreign key", "SQLite keeps foreign keys in CREATE TABLE. Make a new table"),
  replaceView: (view, query) => [...standard.dropView(view), ...standard.createView(view, query)],
  dropTrigger: ({ schema }, trigger) => [
    `DROP TRIGGER IF EXISTS ${qualified({ schema, table: trigger }, quoteName)}`,
  ],
};
