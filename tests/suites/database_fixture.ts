/**
 * What an engine tells the database suite about itself, and the few helpers that its parts share.
 * The suite runs on the real thing: `create` makes a real file, schema or server database.
 */
import assert from "node:assert/strict";
import { Fault, type FaultCode } from "../../src/base/fault.ts";
import type { Access, Cursor, Database, Driver, Target } from "../../src/db/driver.ts";
import type { Cell, Row } from "../../src/db/values.ts";

export interface EngineFixture {
  /** Begins the name of each test. */
  readonly name: string;
  readonly driver: Driver;
  /** A new database in which these statements were run, each by itself. */
  create(setup: readonly string[]): Promise<Place>;
  /** A name as it stands in SQL, quoted. */
  quote(name: string): string;
  /** The schema in which `create` puts tables. */
  readonly schema: string;
  /** The engine's names for these types, as DDL spells them; the catalog must give them back like this. */
  readonly types: { readonly integer: string; readonly varchar20: string; readonly decimal: string };
  /** How the catalog gives back the default `0` of an integer column. */
  readonly zeroDefault: string;
  readonly sql: {
    /** The rows 1 … `count` in a column `n`, in order, made without a table. */
    numbers(count: number): string;
    /** Would run for hours before its first row. */
    readonly endless: string;
    /** Would give rows for hours, the first at once. */
    readonly endlessRows: string;
    /** Gives at least 10,000 rows and then fails. */
    readonly failsLate: string;
  };
  /** Expressions, and the cell and the column type that each becomes. */
  readonly values: readonly ValueCase[];
  /** Statements that fail over the table `plain` (columns `id` integer key, `name` text), and the code of each. */
  readonly faults: readonly { readonly sql: string; readonly code: FaultCode }[];
  /** Statements that must not run under access "read": the table `plain` is unchanged after each. */
  readonly writes: readonly string[];
  /** Whether the engine can say INSERT … RETURNING. */
  readonly returning: boolean;
  /** Whether a column can have the empty name. */
  readonly emptyNames: boolean;
  /** Set where names hold no characters beyond the first 65,536. */
  readonly plainUnicodeNames?: true;
  /** Whether work of this database still goes on after it should have stopped. */
  isBusy(place: Place): Promise<boolean>;
}

export interface ValueCase {
  readonly sql: string;
  readonly cell: Cell;
  readonly type?: string;
}

/** A database of one test; disposing it removes it. */
export interface Place extends AsyncDisposable {
  readonly target: Target;
}

export const CAPS = { unlimited: 1_000_000, limited: 1_000_000 };
export const NEVER = new AbortController().signal;

/** The table that most tests use: three rows. */
export function plainTable({ quote, types }: EngineFixture): string[] {
  return [
    `CREATE TABLE plain (id ${types.integer} PRIMARY KEY, name ${types.varchar20} NOT NULL)`,
    `INSERT INTO plain VALUES (1, 'one'), (2, 'two'), (3, 'three')`,
    `CREATE VIEW ${quote("plain names")} AS SELECT name FROM plain`,
  ];
}

export interface Opened extends AsyncDisposable {
  readonly database: Database;
  readonly place: Place;
}

/** A new database with the plain table, opened; disposing closes and removes it. */
export async function openPlain(
  fixture: EngineFixture,
  { access = "read", timeoutMs = 10_000 }: { access?: Access; timeoutMs?: number } = {},
): Promise<Opened> {
  const place = await fixture.create(plainTable(fixture));
  return await openPlace(fixture, place, { access, timeoutMs });
}

export async function openPlace(
  { driver }: EngineFixture,
  place: Place,
  options: { access: Access; timeoutMs: number },
): Promise<Opened> {
  const database = await driver.open(place.target, options);
  return {
    database,
    place,
    async [Symbol.asyncDispose]() {
      await database.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

export async function run(database: Database, sql: string, signal: AbortSignal = NEVER): Promise<Cursor> {
  return await database.run({ sql, caps: CAPS, signal });
}

/** All rows of a statement. */
export async function rows(database: Database, sql: string, signal: AbortSignal = NEVER): Promise<Row[]> {
  return await readRows(await run(database, sql, signal));
}

export async function readRows({ batches }: Cursor): Promise<Row[]> {
  return (await Array.fromAsync(batches)).flat();
}

/** The Fault that the work ends in; fails when it ends well, or in anything else. */
export async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const outcome = await work.then(() => "no failure", (error: unknown) => error);
  assert.ok(outcome instanceof Fault, `a Fault was expected: ${outcome}`);
  return outcome;
}

/** Runs the work and fails when it takes longer, in milliseconds. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const start = performance.now();
  const value = await work;
  const took = performance.now() - start;
  assert.ok(took <= ms, `took ${Math.round(took)} ms, at most ${ms} were allowed`);
  return value;
}

/** Waits until the condition holds; fails after `ms` milliseconds. */
export async function eventually(ms: number, condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + ms;
  while (!await condition()) {
    assert.ok(performance.now() < end, `did not happen within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
