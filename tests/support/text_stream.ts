/**
 * A Chat Completions stream in which the model says one text, for tests that need words of their own.
 */
import { chatStream } from "./chat_stream.ts";

/** The body of the response, for the model server to play. */
export function textStream(text: string): string {
  return chatStream({ content: text }, "stop");
}
