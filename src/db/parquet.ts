/**
 * What is asked of an engine that writes Parquet files: a CSV file of ours, written again with types. Types only; DuckDB
 * does it (duckdb/write_parquet.ts).
 */

/** DuckDB's names, of the types that Parquet has an exact form for. BLOB is base64 in the CSV. */
export type ParquetType =
  | "BOOLEAN"
  | "BIGINT"
  | "UBIGINT"
  | "DOUBLE"
  | "BLOB"
  | "VARCHAR"
  | `DECIMAL(${number},${number})`;

export interface ParquetColumn {
  readonly name: string;
  readonly type: ParquetType;
}

export interface ParquetJob {
  /** A file as base/csv.ts writes it, with a header. */
  readonly csv: string;
  /** The file to be made. */
  readonly parquet: string;
  readonly columns: readonly ParquetColumn[];
  /** Bytes of the longest row of the CSV. */
  readonly longestRow: number;
  readonly signal: AbortSignal;
}

/** Throws Fault `cancelled` when the signal is aborted, and whatever the engine throws. */
export type WriteParquet = (job: ParquetJob) => Promise<void>;
