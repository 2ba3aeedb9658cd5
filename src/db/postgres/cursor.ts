/**
 * The columns and rows of a statement that has begun, as the contract wants them.
 */
import type { Column, Cursor } from "../driver.ts";
import type { Row } from "../values.ts";
import type { Statement } from "./statement.ts";
import type { TypeCatalog } from "./type_catalog.ts";
import type { CellType } from "./types.ts";

export class PostgresCursor implements Cursor {
  readonly columns: readonly Column[];
  readonly batches: AsyncIterable<readonly Row[]>;
  readonly #statement: Statement;

  private constructor(statement: Statement, columns: readonly Column[]) {
    this.#statement = statement;
    this.columns = columns;
    this.batches = readBatches(statement);
  }

  /** Resolves with the statement's first row, or its end. */
  static async open(statement: Statement, types: TypeCatalog): Promise<PostgresCursor> {
    try {
      const columns = await statement.columns();
      const cellTypes = await types.types(columns.map(({ type }) => type)).catch((error) => {
        // a statement that writes has done its work: rows in the server's text are better than an error that hides it
        if (statement.writes) return columns.map((): CellType => ({ name: "" }));
        throw error;
      });
      statement.decodeWith(cellTypes.map(({ decode }) => decode));
      const named = columns.map(({ name }, index) => ({ name, type: cellTypes[index]?.name ?? "" }));
      return new PostgresCursor(statement, named);
    } catch (error) {
      await statement.close();
      throw error;
    }
  }

  get affected(): number | undefined {
    return this.#statement.affected;
  }

  async close(): Promise<void> {
    await this.#statement.close();
  }
}

async function* readBatches(statement: Statement): AsyncGenerator<readonly Row[]> {
  try {
    for (;;) {
      const rows = await statement.next();
      if (rows.length === 0) return;
      yield rows;
    }
  } finally {
    await statement.close();
  }
}
