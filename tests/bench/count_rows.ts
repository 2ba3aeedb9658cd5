/** Reading a whole result through the contract. */
import type { Database } from "../../src/db/driver.ts";
import { run } from "../suites/database_fixture.ts";

/** Reads every row, and keeps none. */
export async function countRows(database: Database, sql: string): Promise<number> {
  let rows = 0;
  for await (const batch of (await run(database, sql)).batches) rows += batch.length;
  return rows;
}
