/**
 * The rows of one statement as they come in: a bounded buffer between the server and a reader that may be slow.
 * When it is full the socket is not read, so the server waits. A portal fetched in parts would do the same, but with a
 * round trip for each part, and PostgreSQL plans no parallel work for it.
 */
import type { Cell, Row } from "../values.ts";
import type { Outcome, Session, TextColumn } from "./session.ts";
import type { Decode } from "./types.ts";

/** When this many bytes or rows wait for the reader, reading stops. */
const HIGH_BYTES = 131_072;
const HIGH_ROWS = 1_000;

interface ColumnDecoder {
  readonly index: number;
  readonly decode: Decode;
}

export class RowStream {
  /** The columns, once the first row is here or the statement has ended. */
  readonly started: Promise<readonly TextColumn[]>;
  /** How the statement ended; settles when the server is ready for the next one. */
  readonly ended: Promise<Outcome>;
  readonly #session: Session;
  #rows: Cell[][] = [];
  #decoders: readonly ColumnDecoder[] = [];
  #receivedBefore: number;
  #isPaused = false;
  #isOver = false;
  #isHeld = false;
  /** Wakes the reader. */
  #arrived = () => {};

  constructor(session: Session, sql: string) {
    this.#session = session;
    this.#receivedBefore = session.received;
    const started = Promise.withResolvers<readonly TextColumn[]>();
    this.started = started.promise;
    this.ended = this.#read(sql, started);
    this.started.catch(() => {});
    this.ended.catch(() => {});
  }

  /** All rows that wait, at least one; none after the end. Throws what ended the statement. */
  async next(): Promise<readonly Row[]> {
    while (this.#rows.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => this.#arrived = resolve);
    }
    const rows = this.#rows;
    this.#rows = [];
    this.#flow();
    if (rows.length === 0) await this.ended;
    return rows;
  }

  /** How texts become cells, by column; for all rows, whether they are here already or not. Call it once. */
  decodeWith(decoders: readonly (Decode | undefined)[]): void {
    this.#decoders = decoders.flatMap((decode, index) => decode ? [{ index, decode }] : []);
    for (const row of this.#rows) this.#decode(row);
  }

  /** Reads no more than the next piece until the rest is discarded. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Lets the rest of the rows come in and throws them away. */
  discard(): void {
    this.#add = () => {};
    this.#rows = [];
    this.#isHeld = false;
    this.#isPaused = true;
    this.#flow();
  }

  async #read(sql: string, started: PromiseWithResolvers<readonly TextColumn[]>): Promise<Outcome> {
    try {
      const outcome = await this.#session.stream(sql, (row, columns) => {
        started.resolve(columns);
        this.#add(row);
      });
      started.resolve(outcome.columns);
      return outcome;
    } catch (error) {
      started.reject(error);
      throw error;
    } finally {
      this.#isOver = true;
      this.#arrived();
    }
  }

  #decode(row: Cell[]): void {
    for (const { index, decode } of this.#decoders) {
      const text = row[index];
      if (typeof text === "string") row[index] = decode(text);
    }
  }

  #add = (row: Cell[]): void => {
    this.#decode(row);
    if (this.#rows.push(row) === 1) this.#arrived();
    if (this.#isPaused) return;
    const bytes = this.#session.received - this.#receivedBefore;
    if (bytes < HIGH_BYTES && this.#rows.length < HIGH_ROWS && !this.#isHeld) return;
    this.#isPaused = true;
    this.#session.pause();
  };

  #flow(): void {
    this.#receivedBefore = this.#session.received;
    if (!this.#isPaused || this.#isHeld) return;
    this.#isPaused = false;
    this.#session.resume();
  }
}

/** What the work gives. What went wrong is told by how the statement finished, after its connection is free again. */
export async function orOutcome<Value>(work: Promise<Value>, finished: Promise<void>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    await finished;
    throw error;
  }
}
