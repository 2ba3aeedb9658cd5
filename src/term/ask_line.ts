/**
 * One question to the person at the terminal, answered by one line.
 */
import { abortable } from "../base/abortable.ts";
import { LineSplitter } from "../base/lines.ts";

export interface Asking {
  readonly input: ReadableStream<Uint8Array>;
  /** Shows a line. */
  warn(text: string): void;
  readonly signal: AbortSignal;
}

const MAX_BYTES = 1 << 16;

/** The answer, "" at the end of the input. Nothing more can be read from the input afterwards. */
export async function askLine(question: string, { input, warn, signal }: Asking): Promise<string> {
  warn(question);
  const reader = input.pipeThrough(new LineSplitter({ maxBytes: MAX_BYTES, lastLine: "deliver" }))
    .getReader();
  const { value } = await abortable(reader.read(), signal);
  return value?.kind === "line" ? value.text.trim() : "";
}
