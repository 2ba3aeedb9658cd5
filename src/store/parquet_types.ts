/**
 * The narrowest Parquet type that holds every value of a column as it is; text where there is none.
 * docs/values.md, "Exported files", says the same to people.
 */
import type { ParquetType } from "../db/parquet.ts";
import type { CellKind } from "./cell_kinds.ts";

/** Digits of Parquet's widest decimal. */
const MAX_DIGITS = 38;
const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const UINT64_MAX = 2n ** 64n - 1n;
/** Integers of so many digits fit into 64 bits whatever they are. */
const SHORT = 18;

/** Looks at the values of one column, as JSON. */
export class ColumnType {
  readonly #kinds: ReadonlySet<CellKind>;
  readonly #isExactNumber: boolean;
  /** Integers that a double holds are BIGINT, whatever they are. */
  readonly #isWatched: boolean;
  #whole = 1;
  #fraction = 0;
  #isPlain = true;
  /** Bounds of the integers; those that certainly fit count as 1 and -1. */
  #min = 0n;
  #max = 0n;

  constructor(kinds: ReadonlySet<CellKind>) {
    this.#kinds = kinds;
    this.#isExactNumber = isOnly(kinds, ["integer", "long", "decimal"]);
    this.#isWatched = this.#isExactNumber && !isOnly(kinds, ["integer"]);
  }

  add(json: string): void {
    if (!this.#isWatched || json === "null") return;
    const [, whole, fraction = ""] = /^-?0*(\d*)(?:\.(\d+))?$/.exec(json) ?? [];
    if (whole === undefined) this.#isPlain = false;
    else {
      if (whole.length > this.#whole) this.#whole = whole.length;
      if (fraction.length > this.#fraction) this.#fraction = fraction.length;
      this.#addSize(
        whole.length > SHORT ? BigInt(json.replace(/\..*/, "")) : json.startsWith("-") ? -1n : 1n,
      );
    }
  }

  get type(): ParquetType {
    const kinds = this.#kinds;
    if (kinds.size === 0) return "VARCHAR";
    if (isOnly(kinds, ["boolean"])) return "BOOLEAN";
    if (isOnly(kinds, ["binary"])) return "BLOB";
    if (this.#isExactNumber) return this.#exact();
    return isOnly(kinds, ["float", "integer"]) ? "DOUBLE" : "VARCHAR";
  }

  #exact(): ParquetType {
    if (!this.#kinds.has("decimal")) {
      if (this.#min >= INT64.min && this.#max <= INT64.max) return "BIGINT";
      if (this.#min >= 0n && this.#max <= UINT64_MAX) return "UBIGINT";
    }
    const digits = this.#whole + this.#fraction;
    return this.#isPlain && digits <= MAX_DIGITS ? `DECIMAL(${digits},${this.#fraction})` : "VARCHAR";
  }

  #addSize(value: bigint): void {
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
  }
}

function isOnly(kinds: ReadonlySet<CellKind>, allowed: readonly CellKind[]): boolean {
  return kinds.size > 0 && kinds.isSubsetOf(new Set(allowed));
}
