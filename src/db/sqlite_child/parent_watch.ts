/**
 * Ends a SQLite process whose parent is gone. While idle it sees that its input ends; this is for the rest.
 */

/** How often a process looks whether its parent still lives, in milliseconds. */
const CHECK_MS = 500;

/** Before Deno 2.9 a process may signal itself only if it may run anything. */
export const ENDING_NEEDS_RUN = /^2\.[0-8]\./.test(Deno.version.deno);

/**
 * A process that is busy in a statement does not see that its input has ended. The Worker writes to the pipe that is the
 * error output; when nobody is left to read it, the parent is gone. This needs no look at process ids, so it holds on Windows too.
 */
export function watchParent(): void {
  const source = `const beat = new Uint8Array(1);
    setInterval(() => {
      try { Deno.stderr.writeSync(beat); } catch { Deno.kill(Deno.pid, "SIGKILL"); }
    }, ${CHECK_MS});`;
  new Worker(`data:application/javascript,${encodeURIComponent(source)}`, { type: "module" });
}
