/**
 * The SDK's HTTP answers with tools' answers and errors written out by message_json.ts, one message or a stream of events.
 */
import { isJSONRPCErrorResponse, isJSONRPCResultResponse } from "@modelcontextprotocol/server";
import { messageToJson } from "../message_json.ts";

/** One is in a message that is to be written out; within strings of JSON the quotes have backslashes. */
const MARKS = ['"structuredContent":{}', '"error":{'];
const DATA = "data: ";

/** The same response; what it says of its length no longer holds and is left out. */
export async function spelled(response: Response): Promise<Response> {
  const { status, headers, body } = response;
  const type = headers.get("content-type");
  if (body === null) return response;
  if (type === "text/event-stream") {
    return new Response(body.pipeThrough(new EventSpeller()), { status, headers });
  }
  if (type !== "application/json") return response;
  return new Response(spelledMessage(await response.text()), { status, headers });
}

/** An error without an id, which answers what is no message, is written as it is. */
function spelledMessage(json: string): string {
  if (!MARKS.some((mark) => json.includes(mark))) return json;
  const value: unknown = JSON.parse(json);
  return isJSONRPCResultResponse(value) || isJSONRPCErrorResponse(value) ? messageToJson(value) : json;
}

/** Passes events on as soon as their last line is there. */
class EventSpeller extends TransformStream<Uint8Array, Uint8Array> {
  constructor() {
    const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
    let unfinished: string[] = [];
    super({
      transform: (chunk, controller) => {
        const lines = decoder.decode(chunk, { stream: true }).split("\n");
        unfinished.push(lines.shift() ?? "");
        for (const next of lines) {
          const line = unfinished.join("");
          const isData = line.startsWith(DATA);
          const text = isData ? DATA + spelledMessage(line.slice(DATA.length)) : line;
          controller.enqueue(encoder.encode(`${text}\n`));
          unfinished = [next];
        }
      },
    });
  }
}
