/**
 * How a server lets go: how long what is under way may still take, for every transport.
 */

/** How long requests that are under way may take when the input ends or the program is told to stop. */
export const GRACE_MS = 500;
/** How long stopping statements and writing the last answers may take. */
export const END_MS = 200;

/** Settles when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
