/**
 * A conversation that is to become a file.
 */
import type { Entry } from "../view/transcript.ts";

export interface ExportedThread {
  readonly about: ThreadAbout;
  readonly entries: readonly Entry[];
}

/** What is told of a thread beside what was said in it. */
export interface ThreadAbout {
  readonly id: string;
  readonly title: string;
  readonly databases: readonly string[];
  readonly model: string;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
}
