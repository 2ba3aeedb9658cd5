/**
 * A Chat Completions stream of given deltas, for tests whose model has to say something of its own.
 */

/** The body of the response, for the model server to play: the delta, and what the answer ended for. */
export function chatStream(delta: object, finish_reason: string): string {
  const chunks = [
    { delta: { role: "assistant", ...delta }, finish_reason: null },
    { delta: {}, finish_reason },
  ].map((choice) => ({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "recorded",
    choices: [{ index: 0, ...choice }],
  }));
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
}
