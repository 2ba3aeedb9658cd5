/**
 * What a person typed, repeated in an error. It knows no databases: it goes by the look of a text.
 */

const MAX_UNITS = 200;

/** The text in quotes; one that could hold a password is not repeated. */
export function shown(typed: string): string {
  if (mayHoldPassword(typed)) return "the given value";
  return JSON.stringify(typed.length > MAX_UNITS ? `${typed.slice(0, MAX_UNITS)}…` : typed);
}

/** Addresses with a user, anything with a scheme, and what sets a password. */
export function mayHoldPassword(text: string): boolean {
  const withoutDrive = text.replace(/^[A-Za-z]:[\\/]/, "");
  return /:.*@|\/\/|\b(?:password|passwd|pwd)\s*=/is.test(withoutDrive);
}
