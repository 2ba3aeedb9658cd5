/**
 * The first texts of queries on a table, for people to go on from. They are never run here.
 */
import { Fault } from "../../base/fault.ts";
import type { Workbench } from "../../db/workbench.ts";

export interface TableQuery {
  readonly table: string;
  readonly schema: string | null;
  readonly kind: "select" | "update" | "delete";
  readonly columns: readonly string[];
  readonly limit?: number | null | undefined;
}

/** What changes rows changes none until its condition is written. Throws Fault `bad_request` for a limit on it. */
export function tableQuery(request: TableQuery, { quote, qualify }: Workbench): string {
  const { kind, columns, limit = null } = request;
  const name = qualify(request);
  if (kind === "select") {
    const list = columns.length === 0 ? "*" : columns.map(quote).join(", ");
    return `SELECT ${list}\nFROM ${name}${limit === null ? "" : `\nLIMIT ${limit}`};`;
  }
  if (limit !== null) {
    throw new Fault(
      "bad_request",
      `Cannot write the ${kind.toUpperCase()}: it takes no limit. Leave it out.`,
    );
  }
  if (kind === "delete") return `DELETE FROM ${name}\nWHERE 1 = 0;`;
  const sets = columns.length === 0
    ? [`${quote("column_name")} = :value_1`]
    : columns.map((column, index) => `${quote(column)} = :value_${index + 1}`);
  return `UPDATE ${name}\nSET ${sets.join(",\n    ")}\nWHERE 1 = 0;`;
}
