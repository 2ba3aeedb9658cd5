/**
 * The arguments of a tool call as a host is shown them: as the model wrote them, digit for digit.
 */
import { type Json, RawJson, toJson } from "../../base/json.ts";

const LONE_SURROGATE = /\\u[dD][89a-fA-F]/;

/** An empty object where the text is no JSON object. */
export function argumentsJson(argumentsText: string): Json {
  try {
    const value = JSON.parse(argumentsText);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
    if (LONE_SURROGATE.test(argumentsText)) return value;
    return new RawJson(argumentsText.toWellFormed().replace(/[\n\r\t\u2028\u2029]/g, oneLine));
  } catch {
    return {};
  }
}

/** Raw control characters stand between tokens; the two line separators may stand inside strings. */
function oneLine(character: string): string {
  return character < " " ? " " : toJson(character).slice(1, -1);
}
