/**
 * Chat Completions streams in which the model calls tools, for tests that need calls of their own.
 */

/** The body of the response, for the model server to play. */
export function toolCallStream(name: string, args: object): string {
  return toolCallsStream([{ name, args }]);
}

/** As above, of a model that calls several at once. */
export function toolCallsStream(calls: readonly { readonly name: string; readonly args: object }[]): string {
  const toolCalls = calls.map(({ name, args }, index) => ({
    index,
    id: `call_${index + 1}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  const chunks = [
    { delta: { role: "assistant", tool_calls: toolCalls }, finish_reason: null },
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
