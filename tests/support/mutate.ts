/**
 * Broken input for robustness tests: random mutations of valid lines, the same ones for the same seed.
 */

/** A generator of numbers in [0, 1) (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Bytes that matter to JSON, to UTF-8 and to line framing. */
const TELLING = new TextEncoder().encode('{}[]",:\\0-9eE.ntu \t\r').toSorted();
const BROKEN = [0x00, 0x1f, 0x7f, 0x80, 0xbf, 0xc0, 0xe2, 0xed, 0xf4, 0xff];
const WORDS = [
  "null",
  "true",
  "1e999",
  "-0",
  '"__proto__"',
  "[[[[",
  "{}",
  '"\\ud800"',
  "\u2028",
  "9007199254740993",
  '"id"',
];

/** One to four mutations of one of the lines; no line feed is put in, so that a line stays one line. */
export function mutate(lines: readonly string[], next: () => number): Uint8Array {
  const pick = <Item>(items: readonly Item[], fallback: Item) =>
    items[Math.floor(next() * items.length)] ?? fallback;
  const encoder = new TextEncoder();
  let bytes = encoder.encode(pick(lines, ""));
  for (let left = 1 + Math.floor(next() * 4); left > 0; left--) {
    const at = Math.floor(next() * (bytes.length + 1));
    const end = Math.min(bytes.length, at + Math.floor(next() * 8));
    const insert = [
      () => new Uint8Array(), // deletes
      () => Uint8Array.of(pick([...TELLING], 0x20)),
      () => Uint8Array.of(pick(BROKEN, 0xff)),
      () => encoder.encode(pick(WORDS, "")),
      () => bytes.subarray(Math.floor(next() * at), at), // doubles a part
      () => encoder.encode(pick(lines, "")).subarray(Math.floor(next() * 20)),
    ];
    bytes = join([bytes.subarray(0, at), pick(insert, () => new Uint8Array())(), bytes.subarray(end)]);
  }
  return bytes.filter((byte) => byte !== 0x0a);
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
