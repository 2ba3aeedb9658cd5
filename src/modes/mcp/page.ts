/**
 * Lists in pages. A cursor says where the next one begins; clients take it as it is.
 */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

const SIZE = 100;
const CURSOR = /^from-(\d{1,9})$/;

/** Throws what the protocol has for a cursor that no page gave. */
export function page<Item>(
  all: readonly Item[],
  cursor: string | undefined,
): { readonly items: readonly Item[]; readonly nextCursor?: string } {
  const begin = cursor === undefined ? 0 : Number(CURSOR.exec(cursor)?.[1] ?? NaN);
  if (cursor !== undefined && !(begin > 0 && begin < all.length)) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "Invalid cursor: begin the list again without one",
    );
  }
  const end = begin + SIZE;
  const items = all.slice(begin, end);
  return end < all.length ? { items, nextCursor: `from-${end}` } : { items };
}
