/**
 * The tables and columns of the open databases, for completion and lists: read when they are first asked for.
 */
import type { Table, TableDetail } from "../../db/driver.ts";
import type { OpenDatabases } from "../../app.ts";

export interface KnownTable {
  /** As SQL would name it where the schema is not the usual one. */
  readonly name: string;
  readonly kind: Table["kind"];
  readonly database: string;
}

/** Schemas that need not be written. */
const USUAL_SCHEMAS = ["main", "public"];

export class Catalog {
  readonly #databases: () => OpenDatabases;
  readonly #signal: AbortSignal;
  #tables: Promise<readonly KnownTable[]> | undefined;
  readonly #columns = new Map<string, Promise<readonly string[]>>();

  constructor(databases: () => OpenDatabases, signal: AbortSignal) {
    this.#databases = databases;
    this.#signal = signal;
  }

  /** Throws what reading the catalogue throws; the next call tries again. */
  async tables(): Promise<readonly KnownTable[]> {
    const reading = this.#tables ?? this.#readTables();
    this.#tables = reading;
    try {
      return await reading;
    } catch (error) {
      this.#tables = undefined;
      throw error;
    }
  }

  /** Of the table with this name; none for an unknown one. */
  async columns(table: string): Promise<readonly string[]> {
    const known = (await this.tables()).find(({ name }) => name === table);
    if (!known) return [];
    const reading = this.#columns.get(table) ?? this.#readColumns(known);
    this.#columns.set(table, reading);
    return await reading;
  }

  /** Other databases are open. */
  forget(): void {
    this.#tables = undefined;
    this.#columns.clear();
  }

  async #readTables(): Promise<readonly KnownTable[]> {
    const databases = this.#databases();
    const lists = databases.list.map(async ({ name: database, dialect }) => {
      const tables = await (await databases.get(database)).tables({ signal: this.#signal });
      return tables.map(({ schema, name, kind }) => {
        const isUsual = USUAL_SCHEMAS.includes(schema) || dialect === "mysql";
        return { name: isUsual ? name : `${schema}.${name}`, kind, database };
      });
    });
    return (await Promise.all(lists)).flat();
  }

  async #readColumns({ name, database }: KnownTable): Promise<readonly string[]> {
    const open = await this.#databases().get(database);
    const found: readonly TableDetail[] = await open.describe({ pattern: name, signal: this.#signal });
    return found.flatMap(({ columns }) => columns.map((column) => column.name));
  }
}
