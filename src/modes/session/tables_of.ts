/**
 * The tables of all databases of a session, as hosts are told of them.
 */
import type { Table } from "../../db/driver.ts";
import type { Begun } from "./begin.ts";

/** A type of its own, since an interface is no JSON. */
export type ListedTable = Readonly<Record<"database" | "schema" | "name" | "qualifiedName", string>> & {
  readonly kind: Table["kind"];
};

/** Throws what the databases throw. */
export async function tablesOf(databases: Begun["databases"], signal: AbortSignal): Promise<ListedTable[]> {
  const lists = await Promise.all(databases.list.map(async ({ name: database }) => {
    const tables = await (await databases.get(database)).tables({ signal });
    return tables.map(({ schema, name, kind }) => ({
      database,
      schema,
      name,
      kind,
      qualifiedName: `${schema}.${name}`,
    }));
  }));
  return lists.flat();
}
