/**
 * What the model sees of a stored result: the whole when it is small, else its first rows and a plain word that
 * it was cut. Never more than MAX_BYTES of JSON.
 */
import { type Json, RawJson, toJson } from "../base/json.ts";
import { byteLength } from "../base/utf8.ts";
import type { LimitReport } from "../db/driver.ts";

const MAX_BYTES = 12 * 1024;
/** Left for what stands around rows and columns. */
const FRAME_BYTES = 1024;

/** Collects rows while they fit. */
export class Preview {
  readonly #rows: string[] = [];
  readonly #columns: readonly string[];
  #bytes: number;
  #isWhole = true;

  constructor(columns: readonly string[]) {
    this.#columns = fitting(columns.map((name) => toJson(name)), MAX_BYTES / 3);
    this.#bytes = FRAME_BYTES + sizeOf(this.#columns);
    this.#isWhole = this.#columns.length === columns.length;
  }

  /** One row as JSON and LF. */
  add(row: Uint8Array): void {
    if (!this.#isWhole) return;
    this.#bytes += row.length;
    if (this.#bytes > MAX_BYTES) this.#isWhole = false;
    else this.#rows.push(new TextDecoder().decode(row.subarray(0, -1)));
  }

  /** The tool's answer about a result of `rowCount` rows. */
  toJson(result: Previewed, about: PreviewNotes): string {
    const rows = new RawJson(`[${this.#rows.join(",")}]`);
    const cut = result.columns.length - this.#columns.length;
    return toJson({
      success: true,
      result_id: result.id,
      file: result.file,
      returned_rows: result.rowCount,
      columns: this.#columns.map((column) => new RawJson(column)),
      columns_truncated: cut > 0 ? true : undefined,
      auto_limit_applied: about.limit?.added ? true : undefined,
      more_rows_exist: about.limit?.truncated ? true : undefined,
      affected_rows: about.affected,
      ...(this.#isWhole
        ? { results: rows, results_truncated: false }
        : { preview_rows: rows, results_truncated: true, warning: this.#warning(result.rowCount) }),
    });
  }

  #warning(rowCount: number): string {
    return `Only the first ${this.#rows.length} of ${rowCount} rows are shown; the user can open all of them. ` +
      "Do not compute totals or statistics from these rows: ask the database for them.";
  }
}

interface Previewed {
  readonly id: string;
  readonly file: string;
  readonly rowCount: number;
  readonly columns: readonly string[];
}

export interface PreviewNotes {
  readonly limit: LimitReport | undefined;
  readonly affected: number | undefined;
}

/** The leading texts whose bytes fit. */
function fitting(texts: readonly string[], maxBytes: number): string[] {
  let bytes = 0;
  const end = texts.findIndex((text) => (bytes += byteLength(text) + 1) > maxBytes);
  return end < 0 ? [...texts] : texts.slice(0, end);
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + byteLength(text) + 1, 0);
}

/** A statement that returned no rows. */
export function affectedJson(affected: number | undefined): string {
  const answer: Json = { success: true, affected_rows: affected };
  return toJson(answer);
}
