/**
 * Days as text. ISO 8601 for the years 1 to 9999; outside of these, and for infinities, what DuckDB itself prints.
 * No JavaScript Date: it lacks the range.
 */

const DAYS_IN_400_YEARS = 146_097;
/** From 0000-03-01 to 1970-01-01. */
const DAYS_TO_EPOCH = 719_468;
const INFINITE_DAYS = 2 ** 31 - 1;
const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"));

export interface CalendarDay {
  readonly text: string;
  /** Whether ISO 8601 has this form: its years have four digits and no era. */
  readonly isIso: boolean;
}

/** Days that a column of dates remembers; columns seldom hold more different ones. */
const MAX_KNOWN_DAYS = 4096;

/** Writes counts of days since 1970-01-01; for one column, since it remembers days. */
export function dateWriter(): (days: number) => string {
  const calendar = new Calendar();
  return (days) => Math.abs(days) === INFINITE_DAYS ? infinityText(days) : calendar.day(days).text;
}

/** The days of one column. */
export class Calendar {
  readonly #known = new Map<number, CalendarDay>();

  day(days: number): CalendarDay {
    const known = this.#known.get(days);
    if (known !== undefined) return known;
    if (this.#known.size >= MAX_KNOWN_DAYS) this.#known.clear();
    const day = calendarDay(days);
    this.#known.set(days, day);
    return day;
  }
}

export function infinityText(ticks: number | bigint): string {
  return ticks > 0 ? "infinity" : "-infinity";
}

/** The proleptic Gregorian calendar, in years that begin in March (so that a leap day ends its year). */
function calendarDay(days: number): CalendarDay {
  const shifted = days + DAYS_TO_EPOCH;
  const era = Math.floor(shifted / DAYS_IN_400_YEARS);
  const dayOfEra = shifted - era * DAYS_IN_400_YEARS;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const monthAndDay = `${pad2(month)}-${pad2(day)}`;
  return year > 0
    ? { text: `${String(year).padStart(4, "0")}-${monthAndDay}`, isIso: year <= 9999 }
    : { text: `${String(1 - year).padStart(4, "0")}-${monthAndDay} (BC)`, isIso: false };
}

export function pad2(number: number): string {
  return TWO_DIGITS[number] ?? String(number);
}
