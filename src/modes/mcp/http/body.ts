/**
 * The body of a request as a JSON value: at most so many bytes, within so much time.
 */
import { abortable } from "../../../base/abortable.ts";
import { readClientJson } from "../client_json.ts";
import { refusal } from "./refusal.ts";

/** Bytes; the bound that the official SDKs have. */
const MAX_BODY = 4 << 20;
/** How long a client may take to send it. */
const BODY_MS = 10_000;

/** The value, or the answer to a body that is none. */
export async function readBody(request: Request): Promise<{ value: unknown } | { refused: Response }> {
  if (Number(request.headers.get("content-length")) > MAX_BODY) return { refused: tooLarge() };
  let text = "";
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let size = 0;
    for await (const chunk of timely(request.body ?? ReadableStream.from<Uint8Array>([]))) {
      size += chunk.length;
      if (size > MAX_BODY) return { refused: tooLarge() };
      text += decoder.decode(chunk, { stream: true });
    }
    return { value: readClientJson(text + decoder.decode()) };
  } catch (error) {
    if (error instanceof DOMException && error.name === "TimeoutError") {
      return { refused: refusal(408, "Request Timeout: the body came too slowly") };
    }
    return { refused: refusal(400, "Parse error: the body is not JSON in UTF-8") };
  }
}

/** Throws a TimeoutError when the last chunk has not come in time. */
async function* timely(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const signal = AbortSignal.timeout(BODY_MS);
  const reader = body.getReader();
  try {
    while (true) {
      const { done, value } = await abortable(reader.read(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {}); // the client may be gone
  }
}

function tooLarge(): Response {
  return refusal(413, `Payload Too Large: a body may have ${MAX_BODY} bytes`);
}
