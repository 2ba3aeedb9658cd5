/**
 * Notices that the process which started this one is gone, also where another process still holds its end of the pipe.
 */
const EVERY_MS = 5000;

/** Calls `gone` once. `parent`: the process id that it had when this one started. */
export function watchParent(parent: number, gone: () => void): Disposable {
  const timer = setInterval(() => {
    if (Deno.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, EVERY_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
