/**
 * A cursor over rows that a test has at hand.
 */
import type { Cursor } from "../../src/db/driver.ts";
import type { Row } from "../../src/db/values.ts";

export function cursorOf(names: string[], rows: Iterable<Row>, extra: Partial<Cursor> = {}): Cursor {
  async function* batches(): AsyncGenerator<Row[]> {
    let batch: Row[] = [];
    for (const row of rows) {
      batch.push(row);
      if (batch.length === 500) {
        yield batch;
        batch = [];
      }
    }
    yield batch;
  }
  const columns = names.map((name) => ({ name, type: "" }));
  return { columns, batches: batches(), close: () => Promise.resolve(), ...extra };
}
