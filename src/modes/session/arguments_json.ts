/**
 * The arguments of a tool call as a host is shown them: as the model wrote them, digit for digit.
 */
import { type Json, RawJson, toJson } from "../../base/json.ts";

/** A pair of surrogates, one without its other half, or any other escape. */
const ESCAPE = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\./g;
const LONE_LENGTH = 6;

/** An empty object where the text is no JSON object. */
export function argumentsJson(argumentsText: string): Json {
  try {
    const value = JSON.parse(argumentsText);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
    const wellFormed = argumentsText.toWellFormed().replace(ESCAPE, whole);
    return new RawJson(wellFormed.replace(/[\n\r\t\u2028\u2029]/g, oneLine));
  } catch {
    return {};
  }
}

function whole(escape: string): string {
  return escape.length === LONE_LENGTH ? "\\ufffd" : escape;
}

/** Raw control characters stand between tokens; the two line separators may stand inside strings. */
function oneLine(character: string): string {
  return character < " " ? " " : toJson(character).slice(1, -1);
}
