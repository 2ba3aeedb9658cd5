/**
 * What the program and its SQLite process say to each other. Both ends are the same program, so nothing is checked again.
 *
 * The program sends a Statement and gets Parts until one is `done`. It says "more" after every ACK_PARTS parts, and the
 * process runs at most WINDOW parts ahead of that; "stop" ends the statement. Between statements both words mean nothing, so
 * that one that crossed the last part does no harm. The program may send further statements before it has the last part of
 * one; then it says no "stop", and a "more" that crossed lets the next statement run ahead so much further. How messages become
 * bytes is frames.ts's.
 *
 * Rows are JSON arrays. JSON carries text (lone surrogates as \uXXXX), NULL and finite numbers exactly; every other cell is
 * null in its row and stands in `odd`.
 */
import { Fault } from "../../base/fault.ts";
import type { Cell, ValueStyle, WrittenRow } from "../values.ts";

/** Parts that may be under way; more would read ahead of a reader that stops early. */
export const WINDOW = 8;
/** Parts that one "more" stands for. Short results need none. */
export const ACK_PARTS = 4;

/** One statement; `own` ones are the program's and may do what a user's may not. */
export interface Statement {
  readonly sql: string;
  readonly own?: boolean;
  /** A person's own statement: nothing in it is refused, and a transaction that it begins stays open after it. */
  readonly work?: boolean;
  readonly parameters?: readonly (string | null)[];
  /** The rows are wanted as JSON text in this style. */
  readonly written?: ValueStyle;
}

export type Request = Statement | "more" | "stop";

/** A piece of a statement's answer. The first has the columns; a failure is always the last. */
export interface Part {
  columns?: [name: string, type: string][];
  rows: Cell[][];
  odd: OddCell[];
  /** The rows are text, which travels as a blob: one on each line, and after a "!" why one can't be written. */
  isWritten?: true;
  /** What `isWritten` stands for, where the part has arrived. */
  written?: readonly WrittenRow[];
  done: boolean;
  /** Rows that an INSERT, UPDATE or DELETE changed. */
  affected?: number;
  /** Of the last part of a person's own statement: whether a transaction is open after it. */
  inTransaction?: boolean;
  failure?: Failure;
}

/** The length of the next blob; or the digits of an integer beyond 2^53; or a number that JSON lacks. */
export type OddCell = [row: number, column: number, value: number | string];

/** Why a statement failed. */
export interface Failure {
  readonly kind: "sqlite" | "several" | "empty" | "nul" | "cut" | "unasked" | "stopped" | "too_large";
  /** SQLite's extended result code; 0 where SQLite did not speak. */
  readonly code: number;
  /** SQLite's own words; empty where it did not speak. */
  readonly message: string;
  /** Where in the statement SQLite stopped reading, in characters from 1. */
  readonly position?: number;
}

const NO_NUMBER = /^(-0|NaN|-?Infinity)$/;

/** One cell that JSON can't carry, as its entry in `odd`. */
export function toOdd(cell: bigint | number): string {
  return Object.is(cell, -0) ? "-0" : String(cell);
}

/** A line that stands for a row which can't be written. */
export function toProblem({ message }: Fault): string {
  return `!${message}`;
}

/** Puts what travelled as blobs into a part. */
export function fill(part: Part, blobs: Uint8Array): void {
  if (part.isWritten) part.written = readWritten(blobs);
  else fillOdd(part, blobs);
}

function readWritten(blob: Uint8Array): WrittenRow[] {
  if (blob.length === 0) return [];
  const lines: WrittenRow[] = new TextDecoder().decode(blob).split("\n");
  return lines.map((line) =>
    typeof line === "string" && line.startsWith("!") ? new Fault("unsupported_value", line.slice(1)) : line
  );
}

function fillOdd({ rows, odd }: Part, blobs: Uint8Array): void {
  let at = 0;
  for (const [row, column, value] of odd) {
    const cells = rows[row];
    if (cells === undefined) continue;
    if (typeof value === "number") {
      cells[column] = blobs.slice(at, at + value);
      at += value;
    } else cells[column] = NO_NUMBER.test(value) ? Number(value) : BigInt(value);
  }
}
