/**
 * What an MCP client gets of a statement: every row up to the row limit, whole, within the byte bound; or an error.
 * Nothing is stored and no value is cut.
 */
import { BoundedText } from "../../base/bounded_text.ts";
import { Fault } from "../../base/fault.ts";
import { quoteJsonInside, toJson } from "../../base/json.ts";
import type { Cursor } from "../../db/driver.ts";
import { rowWriter, TEXT_NUMBERS, uniqueNames, type WrittenRow } from "../../db/values.ts";
import type { RowKeeper, ToolOutput } from "../../tools/tool.ts";

export interface WholeRowsOptions {
  readonly rowLimit: number;
  /** UTF-8 bytes of the whole answer. */
  readonly maxBytes: number;
  /** Give the answer in pieces, too: made of each batch while the next one is on its way, they take no time at the end. */
  readonly inPieces?: boolean;
}

/** Room for what follows the last row. */
const TAIL_BYTES = 100;

export class WholeRows implements RowKeeper {
  readonly style = TEXT_NUMBERS;
  readonly #options: WholeRowsOptions;

  constructor(options: WholeRowsOptions) {
    this.#options = options;
  }

  async keep(cursor: Cursor, { database }: { readonly database: string }): Promise<ToolOutput> {
    const { rowLimit, maxBytes, inPieces = false } = this.#options;
    const text = new BoundedText(maxBytes - TAIL_BYTES);
    const [plain, quoted]: [string[], string[]] = [[], []];
    const note = (piece: string) => {
      if (!inPieces) return;
      plain.push(piece);
      quoted.push(quoteJsonInside(piece));
    };
    const add = (piece: string) => {
      const isIn = text.add(piece);
      if (isIn) note(piece);
      return isIn;
    };
    const head = toJson({ db_name: database, columns: uniqueNames(cursor.columns) });
    if (!add(`${head.slice(0, -1)},"results":[`)) {
      await cursor.close();
      throw this.#tooLarge(0);
    }
    let count = 0;
    let isMore = false;
    for await (const batch of cursor.written ?? written(cursor)) {
      isMore = count + batch.length > rowLimit; // the guard stops at the limit; should it fail to, this does
      const rows = wholeRows(isMore ? batch.slice(0, rowLimit - count) : batch);
      const lead = count === 0 || rows.length === 0 ? "" : ",";
      if (!add(lead + rows.join(","))) {
        throw this.#tooLarge(count + rows.findIndex((row) => !text.add(`,${row}`)));
      }
      count += rows.length;
      if (isMore) break;
    }
    const truncated = isMore || (cursor.limit?.truncated ?? false);
    const tail = `],"row_count":${count},"row_limit":${rowLimit},"truncated":${truncated}}`;
    note(tail);
    return { json: `${text}${tail}`, ...inPieces && { pieces: { plain, quoted } } };
  }

  #tooLarge(fit: number): Fault {
    const bytes = `${this.#options.maxBytes.toLocaleString("en-US")} bytes`;
    return new Fault(
      "too_large",
      fit === 0
        ? `Cannot return the rows: the first one alone passes ${bytes}. ` +
          "Select fewer columns, or parts of long values."
        : `Cannot return the rows: they pass ${bytes}. The first ${fit} fit, so about LIMIT ${fit} does: ` +
          "select fewer rows or columns, or aggregate.",
    );
  }
}

/** Throws the Fault that stands for a row which can't be written. */
function wholeRows(rows: readonly WrittenRow[]): readonly string[] {
  return rows.map((row) => {
    if (row instanceof Fault) throw row;
    return row;
  });
}

/** The rows of an engine that does not write them. */
async function* written(cursor: Cursor): AsyncGenerator<readonly WrittenRow[]> {
  const toText = rowWriter(cursor.columns, TEXT_NUMBERS);
  for await (const batch of cursor.batches) yield batch.map(toText);
}
