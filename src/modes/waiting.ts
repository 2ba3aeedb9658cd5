/**
 * The sign of life of a command that waits: only where a person looks at stderr.
 */
import type { App, Io } from "../app.ts";
import { Spinner } from "../term/spinner.ts";
import { paintOf } from "./paint_of.ts";

export async function waiting(app: App, { io, label }: { io: Io; label: string }): Promise<Disposable> {
  const { isStatus, writeStatus: write } = io.terminal;
  if (!isStatus) return { [Symbol.dispose]: () => {} };
  return new Spinner({ write, paint: await paintOf(app, { isTerminal: true }), label });
}
