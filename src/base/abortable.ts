/**
 * Waiting that an AbortSignal can end. It ends the waiting, not the work: that is for whoever does the work.
 */

/** The promise's outcome, or the signal's reason as soon as it is aborted. */
export async function abortable<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const first = Promise.withResolvers<Value>();
  const abort = () => first.reject(signal.reason);
  if (signal.aborted) abort();
  promise.then(first.resolve, first.reject);
  signal.addEventListener("abort", abort);
  try {
    return await first.promise;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
