/**
 * A Chat Completions stream in which the model says one text, for tests that need words of their own.
 */

/** The body of the response, for the model server to play. */
export function textStream(text: string): string {
  const chunks = [
    { delta: { role: "assistant", content: text }, finish_reason: null },
    { delta: {}, finish_reason: "stop" },
  ].map((choice) => ({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "recorded",
    choices: [{ index: 0, ...choice }],
  }));
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
}
