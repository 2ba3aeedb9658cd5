/**
 * What went wrong between us and a model server, as a Fault with one readable sentence.
 * It holds no key and quotes no web page.
 */
import { Fault } from "../base/fault.ts";
import type { ModelOptions } from "./provider.ts";
import { BY_CODE, BY_STATUS, FAILED, type Kind, REFUSED } from "./server_errors.ts";

/** Who was asked, for the sentence; the key only so that it can be struck out. */
export type Asked = Pick<ModelOptions, "id" | "baseUrl" | "apiKey">;

/** An error as a server told it: in the response's status and body, or within the stream. */
export interface ServerError {
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
}

/** Longest quotation of a server's own words, in UTF-16 units. */
const MAX_QUOTE = 300;

export function serverFault({ status, code, message }: ServerError, asked: Asked): Fault {
  // Within a stream some servers give the status as the error's code.
  const known = status ?? (/^[45]\d\d$/.test(code ?? "") ? Number(code) : undefined);
  const kind = BY_CODE[code ?? ""] ?? BY_STATUS[known ?? 0] ??
    (known !== undefined && known < 500 ? REFUSED : FAILED);
  const words = quotation(message ?? "", asked.apiKey);
  return askFault(asked, {
    ...kind,
    state: known === undefined ? kind.state : `${kind.state} (HTTP ${known})`,
    ...(words === "" ? {} : { words }),
  });
}

/** "Cannot get an answer from MODEL: HOST <state>. <next>" */
export function askFault(
  { id, baseUrl }: Asked,
  { fault, state, next, words }: Kind & { readonly words?: string },
): Fault {
  const sentence = `Cannot get an answer from ${id}: ${new URL(baseUrl).host} ${state}. ${next}`;
  return new Fault(fault, sentence, words === undefined ? {} : { server: { message: words } });
}

/** What a server said, on one line and without keys; nothing of a web page. */
function quotation(text: string, apiKey: string | undefined): string {
  if (/^\s*</.test(text)) return "";
  const struck = (apiKey ? text.replaceAll(apiKey, "***") : text)
    .replaceAll(/\b(?:sk|gsk|xai)[-_][\w*.-]{6,}|\bBearer \S+/g, "***")
    .replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  return struck.length > MAX_QUOTE ? `${struck.slice(0, MAX_QUOTE).toWellFormed()} …` : struck;
}
