/**
 * Whether text can stand in an HTTP header. Asked before the runtime is, whose errors quote the text, which may be a key.
 */

/** No line breaks or other control characters, and nothing beyond Latin-1. */
export function fitsHeader(value: string): boolean {
  return /^[\t\x20-\x7e\xa0-\xff]*$/.test(value);
}

/** RFC 9110, section 5.1. */
export function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
}
