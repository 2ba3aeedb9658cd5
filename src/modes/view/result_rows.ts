/**
 * The rows of a stored result, page by page.
 */
import type { QueryResult } from "../../store/results.ts";
import type { Shelf } from "../../store/shelf.ts";

/** Rows read at once. */
const PAGE = 500;

/** At most `limit` rows as JSON texts, from the one at `offset` on. Throws Fault `unavailable` when they are gone. */
export async function* resultRows(
  { results }: Shelf,
  { id, offset = 0, limit }: Pick<QueryResult, "id"> & { readonly offset?: number; readonly limit: number },
): AsyncGenerator<string> {
  let at = offset;
  const end = offset + limit;
  while (at < end) {
    const { rows, hasMore } = await results.page(id, { offset: at, limit: Math.min(PAGE, end - at) });
    yield* rows;
    at += rows.length;
    if (!hasMore || rows.length === 0) return;
  }
}
