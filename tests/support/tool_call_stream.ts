/**
 * Chat Completions streams in which the model calls tools, for tests that need calls of their own.
 */
import { chatStream } from "./chat_stream.ts";

/** The body of the response, for the model server to play. */
export function toolCallStream(name: string, args: object): string {
  return toolCallsStream([{ name, args }]);
}

/** As above, of a model that calls several at once. */
export function toolCallsStream(calls: readonly { readonly name: string; readonly args: object }[]): string {
  const tool_calls = calls.map(({ name, args }, index) => ({
    index,
    id: `call_${index + 1}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  return chatStream({ tool_calls }, "tool_calls");
}
