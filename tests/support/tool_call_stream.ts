/**
 * A Chat Completions stream in which the model calls one tool, for tests that need a call of their own.
 */

/** The body of the response, for the model server to play. */
export function toolCallStream(name: string, args: object): string {
  const call = {
    index: 0,
    id: "call_1",
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  };
  const chunks = [
    { delta: { role: "assistant", tool_calls: [call] }, finish_reason: null },
    { delta: {}, finish_reason: "tool_calls" },
  ].map((choice) => ({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "recorded",
    choices: [{ index: 0, ...choice }],
  }));
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
}
