/**
 * What some servers of this API want back with the calls that came of a model's thinking, as the signature of a tool call.
 */
import * as z from "zod/mini";
import type { Fields } from "../provider.ts";

const fields = z.record(z.string(), z.unknown());

const Carried = z.object({
  /** Gemini's signature of a thought. */
  extra_content: z.exactOptional(fields),
  /** OpenRouter's thoughts in the form of the provider behind it; with the first call of an answer. */
  reasoning_details: z.exactOptional(z.array(fields)),
});

export type Carried = z.infer<typeof Carried>;

export function writeCarried(carried: Carried): string {
  return JSON.stringify(carried);
}

/** Nothing for what another adapter wrote. */
export function readCarried(signature: string | undefined): Carried {
  try {
    return Carried.safeParse(JSON.parse(signature ?? "")).data ?? {};
  } catch {
    return {};
  }
}

/** More than this, in UTF-16 units, is kept of no answer. */
const MAX_UNITS = 4 << 20;
/** Members that come in pieces. */
const GROWING = ["text", "summary", "data"];

/** Thoughts put together of their pieces, which say by index and type where they belong. */
export class ReasoningDetails {
  readonly #whole = new Map<string, { [name: string]: unknown }>();
  #units = 0;

  /** None when there were too many: a part of them is of no use to the server. */
  get list(): Fields[] {
    return this.#units > MAX_UNITS ? [] : [...this.#whole.values()];
  }

  add(pieces: readonly Fields[]): void {
    for (const [at, piece] of pieces.entries()) {
      this.#units += JSON.stringify(piece).length;
      if (this.#units > MAX_UNITS) return;
      const key = `${piece.index ?? at} ${piece.type}`;
      const whole = this.#whole.get(key) ?? {};
      for (const [name, value] of Object.entries(piece)) {
        const before = whole[name];
        const grows = GROWING.includes(name) && typeof value === "string" && typeof before === "string";
        if (value !== null) whole[name] = grows ? before + value : value;
      }
      this.#whole.set(key, whole);
    }
  }
}
