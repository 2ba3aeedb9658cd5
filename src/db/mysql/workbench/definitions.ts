/**
 * Definitions in MySQL's SQL.
 */
import { cannot, columnText, qualified, standardDefinitions } from "../../standard_definitions.ts";
import type { DefinitionSql } from "../../workbench.ts";
import { quoteName } from "../sql_text.ts";

const style = {
  quote: quoteName,
  autoIncrement: ({ data_type }: { readonly data_type: string }) => `${data_type} NOT NULL AUTO_INCREMENT`,
};
const standard = standardDefinitions(style);

export const DEFINITIONS: DefinitionSql = {
  ...standard,
  alterColumn: (table, { from, to }) => {
    const [before, after] = [columnText(from, style), columnText(to, style)];
    if (before === after) return cannot("change the column", "No changes detected");
    const name = qualified(table, quoteName);
    return from.name === to.name
      ? [`ALTER TABLE ${name} MODIFY COLUMN ${after}`]
      : [`ALTER TABLE ${name} CHANGE COLUMN ${quoteName(from.name)} ${after}`];
  },
  dropIndex: (table, index) => [`DROP INDEX ${quoteName(index)} ON ${qualified(table, quoteName)}`],
  dropForeignKey: (
    table,
    key,
  ) => [`ALTER TABLE ${qualified(table, quoteName)} DROP FOREIGN KEY ${quoteName(key)}`],
  dropTrigger: ({ schema }, trigger) => [
    `DROP TRIGGER IF EXISTS ${qualified({ schema, table: trigger }, quoteName)}`,
  ],
  dropRoutine: (routine, kind) => [
    `DROP ${kind.toUpperCase() === "PROCEDURE" ? "PROCEDURE" : "FUNCTION"} ${qualified(routine, quoteName)}`,
  ],
};
