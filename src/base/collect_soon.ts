/**
 * Makes V8 collect garbage while much of it comes and goes: left alone it lets what outlived its small collections pile up to
 * a hundred megabytes first.
 */

/** Memory outside of V8's heap counts against it. This is never touched, so it takes none from the system. */
const OUTSIDE_BYTES = 64 << 20;

export function collectSoon(): void {
  void new ArrayBuffer(OUTSIDE_BYTES);
}
