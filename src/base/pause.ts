/**
 * A wait for some time, which a signal ends early.
 */

/** Settles after the time, or when the signal is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const wake = () => resolve();
  signal?.addEventListener("abort", wake);
  await promise;
  signal?.removeEventListener("abort", wake);
  clearTimeout(timer);
}
