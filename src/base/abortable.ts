/**
 * Waiting that an AbortSignal can end. It ends the waiting, not the work: that is for whoever does the work.
 */

/** The promise's outcome, or the signal's reason as soon as it is aborted. */
export async function abortable<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([aborted.promise, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
