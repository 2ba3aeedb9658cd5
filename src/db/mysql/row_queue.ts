/**
 * Hands rows from a server, which sends when it likes, to a reader, who takes batches when he likes. When too much
 * waits, the source is told to pause. It knows nothing of any database.
 */

/**
 * Rows, or bytes of text and binary values, that wait before the source must pause. More rows at once would survive V8's
 * small collections so often that it grows its heap by 40 MB.
 */
const MAX_ROWS = 128;
const MAX_BYTES = 4 * 1024 * 1024;

export interface Source {
  pause(): void;
  resume(): void;
}

export class RowQueue<Row> {
  readonly #source: Source;
  #rows: Row[] = [];
  #bytes = 0;
  #isPaused = false;
  #end: { readonly error?: unknown } | undefined;
  #wake: () => void = () => {};

  constructor(source: Source) {
    this.#source = source;
  }

  /** `bytes`: about how much memory the row takes. */
  push(row: Row, bytes: number): void {
    if (this.#end !== undefined) return;
    this.#rows.push(row);
    this.#bytes += bytes;
    this.#wake();
    if (this.#isPaused || (this.#rows.length < MAX_ROWS && this.#bytes < MAX_BYTES)) return;
    this.#isPaused = true;
    this.#source.pause();
  }

  /** No more rows come. Those that wait are still handed out. */
  end(): void {
    this.#end ??= {};
    this.#wake();
  }

  /** Rows that wait or still come are not handed out, and the source is not resumed. With an error, the reader gets that. */
  cut(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#rows = [];
    this.#isPaused = false;
    this.#wake();
  }

  /** The rows that have come, at least one; undefined at the end. Throws the error of `cut`. */
  async take(): Promise<readonly Row[] | undefined> {
    while (this.#rows.length === 0 && this.#end === undefined) {
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    if (this.#end !== undefined && "error" in this.#end) throw this.#end.error;
    const rows = this.#rows;
    this.#rows = [];
    this.#bytes = 0;
    if (this.#isPaused) {
      this.#isPaused = false;
      this.#source.resume();
    }
    return rows.length === 0 ? undefined : rows;
  }

  /** Throws away what comes, until the end. */
  async drain(): Promise<void> {
    while (await this.take() !== undefined);
  }
}
