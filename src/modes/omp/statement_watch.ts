/**
 * Shows a statement while it runs: how long it takes, and its text where the host has a place for it.
 */
import type { Display } from "./display.ts";

/** How often a statement that takes its time is told of, in milliseconds. */
const TELL_MS = 1000;

interface Watched {
  readonly display: Pick<Display, "status" | "panel">;
  readonly sql: string;
  /** Told once a second, and not again before it has settled. */
  tick?(elapsedMs: number): Promise<void>;
}

/** Runs the work; what was shown of the statement is taken away before this returns or throws. */
export async function watched<Result>(
  { display, sql, tick }: Watched,
  work: () => Promise<Result>,
): Promise<Result> {
  const since = performance.now();
  let isTelling = false;
  const tell = async () => {
    if (isTelling) return; // the host does not read: what was told would be old by then
    isTelling = true;
    const elapsedMs = Math.round(performance.now() - since);
    await display.status("query", `running ${Math.round(elapsedMs / 1000)} s`);
    await tick?.(elapsedMs);
    isTelling = false;
  };
  const timer = setInterval(() => void tell(), TELL_MS);
  try {
    await display.panel("sql", sql.split("\n"));
    return await work();
  } finally {
    clearInterval(timer);
    await display.status("query", undefined);
    await display.panel("sql", []);
  }
}
