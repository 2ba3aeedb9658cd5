/**
 * Rows as JSON: one array, or one object a line. Numbers keep every digit (docs/values.md).
 */
import type { RowLayout } from "./row_format.ts";

/** One array, one row a line. */
export async function* json(rows: AsyncIterable<string>): AsyncGenerator<string> {
  let last: string | undefined;
  for await (const row of rows) {
    yield last === undefined ? "[" : `${last},`;
    last = row;
  }
  if (last === undefined) yield "[]";
  else {
    yield last;
    yield "]";
  }
}

export async function* jsonl(rows: AsyncIterable<string>, _layout: RowLayout): AsyncGenerator<string> {
  yield* rows;
}
