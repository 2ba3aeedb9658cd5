/**
 * A Chat Completions stream in which the model says a lot, for tests that need an answer of some size.
 */

/** The body of the response: so many pieces of text, then the end. */
export function longAnswer(pieces: number, piece: string): string {
  const chunk = `data: ${JSON.stringify({ choices: [{ delta: { content: piece } }] })}\n\n`;
  return chunk.repeat(pieces) + 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n';
}
