/**
 * Whether a transaction is open after a statement, by the statement's first words: DuckDB itself has no word for it.
 */

/** White space and comments. */
const LEADING = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*/;

/** `hasFailed`: a statement that ends a transaction ends it even so. */
export function isOpenAfter(
  sql: string,
  { before, hasFailed }: { before: boolean; hasFailed: boolean },
): boolean {
  const [first = "", second = ""] = sql.replace(LEADING, "").slice(0, 200).toUpperCase().split(/[\s;]+/);
  if (first === "COMMIT" || first === "END" || first === "ROLLBACK" || first === "ABORT") return false;
  const begins = first === "BEGIN" || (first === "START" && second === "TRANSACTION");
  return before || (begins && !hasFailed);
}
