/**
 * Definitions in the SQL that most engines share; what differs is told as data. Engines replace what they do otherwise.
 */
import { Fault } from "../base/fault.ts";
import type { ColumnDefinition, DefinitionSql, TableName } from "./workbench.ts";

export interface DefinitionStyle {
  quote(name: string): string;
  /** The type and what follows it for a column that numbers itself. */
  autoIncrement(column: ColumnDefinition): string;
  /** What follows a column's new type, to make the values fit it; usually nothing. */
  conversion?(from: ColumnDefinition, to: ColumnDefinition): string;
  /** A key of one column stands with the column. */
  readonly inlineKey?: boolean;
}

const QUERY_HEAD =
  /^\s*create\s+(?:or\s+replace\s+)?(?:algorithm\s*=\s*\w+\s+)?(?:definer\s*=\s*\S+\s+)?(?:sql\s+security\s+\w+\s+)?(?:temp(?:orary)?\s+)?(?:materialized\s+)?view\s[^]*?\sas\s+/i;

/** What a view selects, of a text that may be the whole CREATE VIEW. */
function viewQuery(text: string): string {
  return text.replace(QUERY_HEAD, "").replace(/[\s;]+$/, "");
}

/** `"schema"."table"`. */
export function qualified({ schema, table }: TableName, quote: (name: string) => string): string {
  return schema === null || schema === "" ? quote(table) : `${quote(schema)}.${quote(table)}`;
}

/** Throws Fault `unavailable`. */
export function cannot(doing: string, state: string): never {
  throw new Fault("unavailable", `Cannot ${doing}: ${state}.`);
}

/** A column as it stands in CREATE TABLE and ADD COLUMN. */
export function columnText(column: ColumnDefinition, style: DefinitionStyle): string {
  const name = style.quote(column.name);
  if (column.is_auto_increment) return `${name} ${style.autoIncrement(column)}`;
  const hasDefault = column.default_value !== undefined && column.default_value !== null &&
    column.default_value !== "";
  return `${name} ${column.data_type}${column.is_nullable && !column.is_pk ? "" : " NOT NULL"}${
    hasDefault ? ` DEFAULT ${column.default_value}` : ""
  }`;
}

type Standard = Omit<DefinitionSql, "dropForeignKey">;

export function standardDefinitions(style: DefinitionStyle): Standard {
  const { quote } = style;
  const name = (table: TableName) => qualified(table, quote);
  const list = (columns: readonly string[]) => columns.map(quote).join(", ");
  const action = (word: string, value: string | null) => value ? ` ON ${word} ${actionWord(value)}` : "";
  return {
    createTable: (table, columns) => {
      const keys = columns.filter((column) => column.is_pk);
      const isInline = style.inlineKey === true && keys.length === 1 && keys[0]?.is_auto_increment === true;
      const lines = columns.map((column) => columnText(column, style));
      if (keys.length > 0 && !isInline) lines.push(`PRIMARY KEY (${list(keys.map((key) => key.name))})`);
      return [`CREATE TABLE ${name(table)} (\n${lines.map((line) => `  ${line}`).join(",\n")}\n)`];
    },
    addColumn: (table, column) => [`ALTER TABLE ${name(table)} ADD COLUMN ${columnText(column, style)}`],
    alterColumn: (table, { from, to }) => {
      const column = `ALTER TABLE ${name(table)} ALTER COLUMN ${quote(to.name)}`;
      const [before, after] = [from.default_value ?? "", to.default_value ?? ""];
      const statements = [
        ...from.name === to.name
          ? []
          : [`ALTER TABLE ${name(table)} RENAME COLUMN ${quote(from.name)} TO ${quote(to.name)}`],
        ...from.data_type.toLowerCase() === to.data_type.toLowerCase()
          ? []
          : [`${column} TYPE ${to.data_type}${style.conversion?.(from, to) ?? ""}`],
        ...from.is_nullable === to.is_nullable
          ? []
          : [`${column} ${to.is_nullable ? "DROP" : "SET"} NOT NULL`],
        ...before === after ? [] : [`${column} ${after === "" ? "DROP DEFAULT" : `SET DEFAULT ${after}`}`],
      ];
      return statements.length > 0 ? statements : cannot("change the column", "No changes detected");
    },
    createIndex: (table, index) => [
      `CREATE ${index.unique ? "UNIQUE " : ""}INDEX ${quote(index.name)} ON ${name(table)} (${
        list(index.columns)
      })`,
    ],
    createForeignKey: (key) => [
      `ALTER TABLE ${name(key)} ADD CONSTRAINT ${quote(key.name)} FOREIGN KEY (${
        quote(key.column)
      }) REFERENCES ${name({ schema: key.schema, table: key.refTable })} (${quote(key.refColumn)})${
        action("DELETE", key.onDelete)
      }${action("UPDATE", key.onUpdate)}`,
    ],
    dropIndex: (table, index) => [`DROP INDEX ${name({ schema: table.schema, table: index })}`],
    createView: (view, query) => [`CREATE VIEW ${name(view)} AS ${viewQuery(query)}`],
    replaceView: (view, query) => [`CREATE OR REPLACE VIEW ${name(view)} AS ${viewQuery(query)}`],
    dropView: (view) => [`DROP VIEW IF EXISTS ${name(view)}`],
  };
}

const ACTIONS = ["NO ACTION", "RESTRICT", "CASCADE", "SET NULL", "SET DEFAULT"];

function actionWord(value: string): string {
  const word = value.trim().toUpperCase();
  if (!ACTIONS.includes(word)) {
    throw new Fault(
      "bad_request",
      `Cannot define the foreign key: the action is unknown. Use one of ${ACTIONS.join(", ")}.`,
    );
  }
  return word;
}
