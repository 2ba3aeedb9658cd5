/**
 * What one run of the agent works with: its inputs, and what has come together so far.
 */
import { Fault } from "../base/fault.ts";
import type { Log } from "../base/log.ts";
import type { Model, ThinkingLevel, UserMessage } from "../llm/provider.ts";
import type { RunUsage, TranscriptMessage } from "./events.ts";
import type { Delivery, Moment } from "./message_queue.ts";
import type { Toolbox } from "./toolbox.ts";

/** Whom a request goes to, and with what. */
export interface Asking {
  readonly model: Model;
  readonly system: string;
  readonly thinking: ThinkingLevel;
}

/**
 * `together`: the calls of one response run side by side. `in turn`: one after the other, and those that have not begun
 * are skipped as soon as `skips` says so.
 */
export type CallOrder = { readonly order: "together" } | { readonly order: "in turn"; skips(): boolean };

export interface RunOptions {
  /** Asked before each request. */
  asking(): Asking;
  readonly toolbox: Toolbox;
  readonly calls: CallOrder;
  /** The conversation before this run. */
  readonly history: readonly TranscriptMessage[];
  /** None where the conversation goes on as it stands. */
  readonly prompt: readonly UserMessage[];
  /** Aborted to stop the run: the model and the tools are told, and waited for. */
  readonly signal: AbortSignal;
  /** Aborted to end the run without waiting for anything. */
  readonly cut: AbortSignal;
  /**
   * Hands over what the user said since the last call; asked before each request, and once more before the end
   * (`atEnd`), when nothing more is taken from the user if there was nothing.
   */
  take(moment: Moment): Delivery | undefined;
  readonly log: Log;
  /** Tells the person who asks, beside the answer. */
  warn(text: string): void;
}

export interface Run extends RunOptions {
  /** The messages of this run; `keep` adds to them. */
  readonly messages: TranscriptMessage[];
  /** UTF-16 units of JSON that they have. */
  written: number;
  usage: RunUsage;
  /** Messages that were shortened or left out of the last request that had such, as the person was told. */
  leftOut: number;
  /** Tools that the last response called wrongly, with the number of responses in a row that did. */
  misuses: ReadonlyMap<string, number>;
}

/** All of a run is told once more in the end, as one text, which the runtime bounds at 512 million characters. */
const MAX_WRITTEN = 128 << 20;

/** Adds a message to the run. Throws Fault `too_large` when they are too much together. */
export function keep(run: Run, message: TranscriptMessage): void {
  run.written += JSON.stringify(message).length;
  if (run.written > MAX_WRITTEN) {
    throw new Fault(
      "too_large",
      `Cannot go on with the run: its messages have more than ${
        MAX_WRITTEN >> 20
      } million characters. Ask for less at once.`,
    );
  }
  run.messages.push(message);
}
