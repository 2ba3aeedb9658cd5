/**
 * Protocol messages as JSON text. A tool's answer is JSON already: it is written as text and as structured content
 * without being read or built again. Errors become sentences.
 */
import type { CallToolResult, JSONRPCMessage, JSONRPCResultResponse } from "@modelcontextprotocol/server";
import { quoteInside } from "../../base/json.ts";
import type { TextPieces } from "../../tools/tool.ts";
import { plainError } from "./plain_error.ts";

/**
 * A tool's answer on its way through the SDK: its empty structured content stands for the object in the last block,
 * which is also the text, unless a block with another presentation stands before it.
 */
export function answer(json: string, text = json): CallToolResult {
  const blocks = text === json ? [json] : [text, json];
  return { content: blocks.map((block) => ({ type: "text", text: block })), structuredContent: {} };
}

/** The latest answer's text in pieces, where its maker gave them; the SDK hands on nothing but the text. */
export class LatestAnswer {
  #text: string | undefined;
  #pieces: TextPieces | undefined;

  note(text: string, pieces: TextPieces): void {
    this.#text = text;
    this.#pieces = pieces;
  }

  /** Forgets the answer. */
  take(text: string): TextPieces {
    const pieces = this.#text === text ? this.#pieces : undefined;
    this.#text = undefined;
    this.#pieces = undefined;
    return pieces ?? { plain: [text], quoted: [quoteInside(text)] };
  }
}

/** One line. */
export function messageToJson(message: JSONRPCMessage): string {
  return messageToPieces(message, new LatestAnswer()).join("");
}

/** The same in pieces, of which those of large answers need not be joined to be written. */
export function messageToPieces(message: JSONRPCMessage, latest: LatestAnswer): readonly string[] {
  if ("error" in message) return [JSON.stringify(plainError(message))];
  return ("result" in message ? answerToPieces(message, latest) : undefined) ?? [JSON.stringify(message)];
}

function answerToPieces(
  { id, result }: JSONRPCResultResponse,
  latest: LatestAnswer,
): readonly string[] | undefined {
  const { content, structuredContent, ...rest } = result;
  if (!isEmptyObject(structuredContent) || !Array.isArray(content)) return undefined;
  const [text, json] = [content.at(0), content.at(-1)].map(textOf);
  if (text === undefined || json === undefined) return undefined;
  const members = JSON.stringify(rest).slice(1, -1);
  const { plain, quoted } = latest.take(text);
  return [
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${members}${members === "" ? "" : ","}`,
    '"content":[{"type":"text","text":"',
    ...quoted,
    '"}],"structuredContent":',
    ...text === json ? plain : [json],
    "}}",
  ];
}

function textOf(block: unknown): string | undefined {
  if (typeof block !== "object" || block === null || !("text" in block)) return undefined;
  return typeof block.text === "string" ? block.text : undefined;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
