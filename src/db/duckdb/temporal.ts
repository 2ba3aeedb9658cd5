/**
 * DuckDB's times and timestamps as text, from the numbers it stores; days are calendar.ts's.
 */
import { Calendar, infinityText, pad2 } from "./calendar.ts";

const INFINITE_TICKS = 2n ** 63n - 1n;
const SECONDS_PER_DAY = 86_400;

/** How finely a type counts: ticks per second, and the digits of their fraction. */
export interface Precision {
  readonly perSecond: number;
  readonly digits: number;
}

export const SECONDS: Precision = { perSecond: 1, digits: 0 };
export const MILLIS: Precision = { perSecond: 1e3, digits: 3 };
export const MICROS: Precision = { perSecond: 1e6, digits: 6 };
export const NANOS: Precision = { perSecond: 1e9, digits: 9 };

/** Writes ticks since 1970-01-01 00:00:00, in UTC where `isZoned`; for one column, since it remembers days. */
export function timestampWriter(
  precision: Precision,
  { isZoned }: { isZoned: boolean },
): (ticks: bigint) => string {
  const calendar = new Calendar();
  const perDay = precision.perSecond * SECONDS_PER_DAY;
  const write = (days: number, inDay: number) => {
    const { text, isIso } = calendar.day(days);
    const zone = !isZoned ? "" : isIso ? "+00:00" : "+00";
    return `${text}${isIso ? "T" : " "}${timeText(inDay, precision)}${zone}`;
  };
  return (ticks) => {
    const near = Number(ticks);
    if (Number.isSafeInteger(near)) {
      const days = Math.floor(near / perDay);
      return write(days, near - days * perDay);
    }
    if (ticks === INFINITE_TICKS || ticks === -INFINITE_TICKS) return infinityText(ticks);
    const rest = ticks % BigInt(perDay);
    const inDay = rest < 0n ? rest + BigInt(perDay) : rest;
    return write(Number((ticks - inDay) / BigInt(perDay)), Number(inDay));
  };
}

/** Ticks since midnight; 24:00:00 is a time too. */
export function timeText(ticks: number, { perSecond, digits }: Precision): string {
  const seconds = Math.floor(ticks / perSecond);
  return clockText(seconds) + fractionText(ticks - seconds * perSecond, digits);
}

/** Microseconds since midnight at an offset of seconds east of UTC. */
export function zonedTimeText(micros: number, offset: number): string {
  const size = Math.abs(offset);
  const seconds = size % 60 === 0 ? "" : `:${pad2(size % 60)}`;
  const zone = `${pad2(Math.floor(size / 3600))}:${pad2(Math.floor(size / 60) % 60)}${seconds}`;
  return `${timeText(micros, MICROS)}${offset < 0 ? "-" : "+"}${zone}`;
}

export function clockText(seconds: number): string {
  return `${pad2(Math.floor(seconds / 3600))}:${pad2(Math.floor(seconds / 60) % 60)}:${pad2(seconds % 60)}`;
}

export function fractionText(ticks: number, digits: number): string {
  return ticks === 0 ? "" : `.${String(ticks).padStart(digits, "0").replace(/0+$/, "")}`;
}
