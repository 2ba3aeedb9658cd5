/**
 * What one run of the agent works with: its inputs, and what has come together so far.
 */
import type { Log } from "../base/log.ts";
import type { Model, ThinkingLevel, UserMessage } from "../llm/provider.ts";
import type { RunUsage, TranscriptMessage } from "./events.ts";
import type { Toolbox } from "./toolbox.ts";

export interface RunOptions {
  readonly model: Model;
  readonly toolbox: Toolbox;
  readonly system: string;
  readonly thinking: ThinkingLevel;
  /** The conversation before this run. */
  readonly history: readonly TranscriptMessage[];
  readonly prompt: UserMessage;
  /** Aborted to stop the run: the model and the tools are told, and waited for. */
  readonly signal: AbortSignal;
  /** Aborted to end the run without waiting for anything. */
  readonly cut: AbortSignal;
  /**
   * Hands over what the user said since the last call; asked before each request, and once more before the end
   * (`orClose`), when nothing more is taken from the user if there was nothing.
   */
  takeSteers(options?: { readonly orClose: boolean }): readonly UserMessage[];
  readonly log: Log;
}

export interface Run extends RunOptions {
  /** The messages of this run. */
  readonly messages: TranscriptMessage[];
  usage: RunUsage;
  /** Tools that the last response called wrongly, with the number of responses in a row that did. */
  misuses: ReadonlyMap<string, number>;
}
