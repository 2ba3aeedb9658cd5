/**
 * Reads a transcript as it grows: whole lines from a place in bytes, and the place to go on from.
 */
import { type Json, RawJson } from "../../base/json.ts";
import { Entry } from "./entries.ts";
import type { OmpMessage } from "./messages.ts";

export interface TranscriptPart {
  readonly sessionFile: string;
  readonly fromByte: number;
  readonly nextByte: number;
  /** The file is shorter than where it was to be read from; it was read from its beginning. */
  readonly reset: boolean;
  readonly entries: readonly Json[];
  readonly messages: readonly OmpMessage[];
}

/** What is read at once, in bytes. */
const MAX_BYTES = 512 * 1024;
const LF = 0x0a;

/** A file that is not there (yet) is empty. */
export async function readTranscript(sessionFile: string, wanted: number): Promise<TranscriptPart> {
  const bytes = await Deno.readFile(sessionFile).catch(() => new Uint8Array());
  const asked = Math.max(0, Math.floor(wanted));
  const reset = asked > bytes.length;
  const fromByte = reset ? 0 : asked;
  const part = bytes.subarray(fromByte, fromByte + MAX_BYTES);
  const whole = part.subarray(0, part.lastIndexOf(LF) + 1);
  const lines = new TextDecoder().decode(whole).split("\n").filter((line) => line.trim() !== "");
  const messages = lines.flatMap((line) => {
    const entry = Entry.safeParse(JSON.parse(line));
    return entry.success && entry.data.type === "message" ? [entry.data.message] : [];
  });
  const entries = lines.map((line) => new RawJson(line));
  return { sessionFile, fromByte, nextByte: fromByte + whole.length, reset, entries, messages };
}
