/**
 * The ids of requests, exactly as the peer wrote them. Which kinds of id a spelling accepts is its codec's to say.
 */
import { membersOf } from "../base/json_parts.ts";

/** An integer whose text is longer than this is no id. */
const WHOLE = /^-?\d{1,40}$/;

/** The `id` member of a parsed line; an integer that a double would round is read again as a bigint. */
export function readId(value: object, line: string): unknown {
  const id = "id" in value ? value.id : undefined;
  if (typeof id !== "number" || !Number.isInteger(id) || Number.isSafeInteger(id)) return id;
  const digits = idText(line);
  return WHOLE.test(digits) ? BigInt(digits) : id;
}

/** True for integers that are still what the peer wrote. */
export function isExactInteger(id: unknown): id is number | bigint {
  return typeof id === "bigint" || Number.isSafeInteger(id);
}

/** The text of the line's own `id` member, not that of an object within it; of several the last one, as in JSON.parse. */
function idText(line: string): string {
  return membersOf(line).findLast(([name]) => name === "id")?.[1] ?? "";
}
