/**
 * The flag `--limit`.
 */
import { Fault } from "../base/fault.ts";

/** `usual` where it is not given. Throws Fault `usage`. */
export function limitOf(
  text: string | undefined,
  { usual, most }: { readonly usual: number; readonly most: number },
): number {
  const limit = text === undefined ? usual : Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return limit;
  throw new Fault("usage", `The limit must be a whole number from 1 to ${most}, not '${text}'.`);
}
