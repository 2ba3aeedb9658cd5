/**
 * The arguments of a past tool call, fit to be sent to a server again.
 */

/** Servers parse them and fail on broken ones; the tool's result says that they were broken. */
export function objectText(argumentsText: string): string {
  try {
    const parsed: unknown = JSON.parse(argumentsText);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? argumentsText : "{}";
  } catch {
    return "{}";
  }
}
