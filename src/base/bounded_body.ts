/**
 * The body of an HTTP response as text, up to a length. It judges neither the status nor what is said.
 */

/** `maxLength` in UTF-16 units; throws SyntaxError for a longer one. */
export async function boundedBody(response: Response, maxLength: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > maxLength) throw new SyntaxError("the answer is too long");
  }
  return text + decoder.decode();
}
