/**
 * How long text is as UTF-8.
 */

/** What a UTF-16 unit has at most, in bytes. */
export const MAX_UNIT_BYTES = 3;

const encoder = new TextEncoder();

export function byteLength(text: string): number {
  return encoder.encode(text).length;
}
