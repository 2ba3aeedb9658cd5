/**
 * What a form of rows is: a function from rows as JSON objects to lines. Types only.
 */
import type { Paint } from "./paint.ts";

export interface RowLayout {
  /** Names that are keys of the rows, in order. */
  readonly columns: readonly string[];
  /** Where lines are to fit: characters of the window; undefined where nobody looks, and nothing is cut. */
  readonly width: number | undefined;
  readonly paint: Paint;
}

/** `rows`: each one JSON object with a member per column, in order. Yields lines without their ends, as rows come. */
export type RowFormat = (rows: AsyncIterable<string>, layout: RowLayout) => AsyncIterable<string>;
