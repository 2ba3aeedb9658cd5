/**
 * Dates and moments as the protocol sends them (year, month, day, then perhaps hour, minute, second, then perhaps
 * microseconds), as ISO text. The library would make them text too, in three times the time.
 */

/** A statement that can't be prepared gets text instead, which is longer than the longest binary form but for a date. */
const LONGEST = 11;
const DATE_TEXT = 10;

const TWO: readonly string[] = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"));

export function toDate(bytes: Uint8Array): string {
  if (isText(bytes)) return new TextDecoder().decode(bytes);
  return bytes.length === 0 ? "0000-00-00" : day(bytes);
}

/** `zone` is appended to a real moment; one whose month or day is zero stays as the server writes it. */
export function toMoment(bytes: Uint8Array, { decimals, zone }: { decimals: number; zone: string }): string {
  if (isText(bytes)) return fromText(new TextDecoder().decode(bytes), zone);
  if (bytes.length === 0) return "0000-00-00 00:00:00";
  const isReal = bytes[2] !== 0 && bytes[3] !== 0;
  const time = bytes.length < 7 ? "00:00:00" : `${two(bytes[4])}:${two(bytes[5])}:${two(bytes[6])}`;
  return day(bytes) + (isReal ? "T" : " ") + time + fraction(bytes, decimals) + (isReal ? zone : "");
}

function isText(bytes: Uint8Array): boolean {
  return bytes.length > LONGEST || bytes.length === DATE_TEXT;
}

function fromText(text: string, zone: string): string {
  return /^\d{4}-(?:00|\d\d-00)/.test(text) ? text : text.replace(" ", "T") + zone;
}

function day(bytes: Uint8Array): string {
  const year = (bytes[0] ?? 0) + (bytes[1] ?? 0) * 256;
  return `${year < 1000 ? String(year).padStart(4, "0") : year}-${two(bytes[2])}-${two(bytes[3])}`;
}

function two(number = 0): string {
  return TWO[number] ?? String(number);
}

/** Without one when it is zero. `decimals` is what the column keeps; an expression may say more than six. */
function fraction(bytes: Uint8Array, decimals: number): string {
  if (bytes.length < LONGEST) return "";
  const micros = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(7, true);
  return `.${String(micros).padStart(6, "0").slice(0, decimals === 0 ? 6 : decimals)}`;
}
