/**
 * Reading a stream of text to its end, up to a bound.
 */
import { abortable } from "./abortable.ts";
import { Fault } from "./fault.ts";

export interface ReadAllOptions {
  /** What is read, for the errors: "the statement". */
  readonly what: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Throws Fault `usage` for text that is too long or no UTF-8. A byte order mark at the beginning is left out. */
export async function readAll(input: ReadableStream<Uint8Array>, options: ReadAllOptions): Promise<string> {
  const { what, maxBytes, signal } = options;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = input.getReader();
  let size = 0;
  let text = "";
  try {
    for (;;) {
      const { done, value } = await abortable(reader.read(), signal);
      text += decode(decoder, { value, what });
      if (done) return text;
      size += value.length;
      if (size > maxBytes) {
        throw new Fault("usage", `Cannot read ${what}: it has more than ${maxBytes} bytes.`);
      }
    }
  } finally {
    reader.cancel().catch(() => {}); // what is left of the input is nobody's
  }
}

function decode(
  decoder: TextDecoder,
  { value, what }: { value: Uint8Array | undefined; what: string },
): string {
  try {
    return value ? decoder.decode(value, { stream: true }) : decoder.decode();
  } catch {
    throw new Fault("usage", `Cannot read ${what}: it is not UTF-8 text. Convert it first.`);
  }
}
