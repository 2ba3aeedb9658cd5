/**
 * What a program ends with that a signal has stopped: 128 and the signal's number, as shells count it.
 */

const NUMBERS: { readonly [signal: string]: number } = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/** `signal` is the reason of `Io.stop`; one without a number counts as Ctrl+C. */
export function signalExit(signal: unknown): number {
  return 128 + (NUMBERS[String(signal)] ?? 2);
}

/** What a second Ctrl+C ends the program with, whatever still goes on. */
export async function leaving({ leave, stop }: { leave: AbortSignal; stop: AbortSignal }): Promise<number> {
  await new Promise((resolve) => leave.addEventListener("abort", resolve, { once: true }));
  return signalExit(stop.reason);
}
