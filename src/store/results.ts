/**
 * Stored query results: every row of a statement on disk as JSON lines, read back by page.
 */

/** The handle of a stored result (the RPC contract's QueryResult). */
export interface QueryResult {
  /** `qr_` and 32 hex digits. */
  readonly id: string;
  readonly file: string;
  readonly rowCount: number;
  readonly columns: readonly string[];
  /** Bytes of the stored rows, and their SHA-256 as hex. */
  readonly size: number;
  readonly sha256: string;
  readonly mediaType: string;
  readonly databaseName?: string;
  /** Epoch milliseconds. */
  readonly createdAt?: number;
}
