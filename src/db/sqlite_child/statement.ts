/**
 * Runs one statement inside the SQLite process and hands its rows over in parts, reading no further than asked.
 */
import { type Connection, Refusal } from "./connection.ts";
import { rowWriter } from "../values.ts";
import { PartCollector, type Send } from "./part_collector.ts";
import type { Part, Statement } from "./protocol.ts";
import { readRows } from "./row_source.ts";

export interface RunOptions {
  /** Keep the changes when all rows were handed over; without it nothing can have changed. */
  readonly writes: boolean;
  readonly send: Send;
}

interface Last {
  readonly part: Part;
  readonly blobs: readonly Uint8Array[];
}

/** The last part and its blobs. Throws what SQLite throws, and Refusal; a writing statement is then undone. */
export function runStatement(connection: Connection, statement: Statement, options: RunOptions): Last {
  if (!options.writes) return step(connection, statement, options);
  connection.exec("BEGIN");
  try {
    const last = step(connection, statement, options);
    connection.exec("COMMIT");
    return last;
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

/** Some failures have ended the transaction already. */
function rollBack(connection: Connection): void {
  try {
    connection.exec("ROLLBACK");
  } catch {
    // no transaction is open, which is what was wanted
  }
}

function step(connection: Connection, statement: Statement, { send }: RunOptions): Last {
  const prepared = connection.prepare(statement);
  const columns = prepared.columns();
  const { written, work = false } = statement;
  const collector = new PartCollector(send, {
    columns: columns.map(({ name, type }) => [name, type ?? ""]),
    toText: written && rowWriter(columns, written),
  });
  let count = 0;
  if (columns.length === 0) count = Number(prepared.run().changes);
  else {
    const { sql, parameters = [] } = statement;
    const [width, isWhole] = [columns.length, work || written !== undefined];
    const reader = connection.reader(prepared, { ...statement, names: columns.map(({ name }) => name) });
    for (const row of readRows(connection, reader, { sql, parameters, width, isWhole })) {
      if (Array.isArray(row) && !collector.add(row)) throw new Refusal("stopped");
      count++;
    }
  }
  const { part, blobs } = collector.last();
  part.done = true;
  // With RETURNING there is a row for each that was changed.
  if (connection.changesRows) part.affected = count;
  return { part, blobs };
}
