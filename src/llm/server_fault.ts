/**
 * What went wrong between us and a model server, as a Fault with one readable sentence.
 * It holds no key and quotes no web page.
 */
import { Fault } from "../base/fault.ts";
import type { ModelOptions } from "./provider.ts";
import { BY_CODE, BY_STATUS, BY_WORDS, FAILED, type Kind, REFUSED } from "./server_errors.ts";

/** Who was asked, for the sentence; the key and the headers only so that they can be struck out. */
export type Asked = Pick<ModelOptions, "id" | "baseUrl" | "apiKey" | "headers">;

/** An error as a server told it: in the response's status and body, or within the stream. */
export interface ServerError {
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
  /** How long the server asks to be left alone, in milliseconds. */
  readonly afterMs?: number;
}

/** A header whose value is shorter holds no key. */
const MIN_SECRET = 8;
/** Longest quotation of a server's own words, in UTF-16 units. */
const MAX_QUOTE = 300;

export function serverFault({ status, code, message, afterMs }: ServerError, asked: Asked): Fault {
  // Within a stream some servers give the status as the error's code.
  const known = status ?? (/^[45]\d\d$/.test(code ?? "") ? Number(code) : undefined);
  const isOurs = known !== undefined && known < 500;
  const told = isOurs ? BY_WORDS.find(([words]) => words.test(message ?? ""))?.[1] : undefined;
  const kind = told ?? (Object.hasOwn(BY_CODE, code ?? "") ? BY_CODE[code ?? ""] : undefined) ??
    BY_STATUS[known ?? 0] ?? (isOurs ? REFUSED : FAILED);
  const words = quotation(message ?? "", asked);
  return askFault(asked, {
    ...kind,
    state: known === undefined ? kind.state : `${kind.state} (HTTP ${known})`,
    ...(afterMs && kind.retry ? { afterMs, next: `Wait ${Math.ceil(afterMs / 1000)} s and ask again.` } : {}),
    ...(words === "" ? {} : { words }),
  });
}

interface Failure extends Kind {
  readonly words?: string;
  readonly afterMs?: number;
}

/** "Cannot get an answer from MODEL: HOST <state>. <next>" */
export function askFault(
  { id, baseUrl }: Asked,
  { fault, state, next, words, retry, afterMs }: Failure,
): Fault {
  const sentence = `Cannot get an answer from ${id}: ${new URL(baseUrl).host} ${state}. ${next}`;
  return new Fault(fault, sentence, {
    ...(words === undefined ? {} : { server: { message: words } }),
    ...(retry ? { retry: afterMs === undefined ? {} : { afterMs } } : {}),
  });
}

/** What a server said, on one line and without keys; nothing of a web page. */
function quotation(text: string, { apiKey, headers = {} }: Asked): string {
  if (/^\s*</.test(text)) return "";
  const secrets = Object.values(headers).filter(({ length }) => length >= MIN_SECRET);
  if (apiKey) secrets.push(apiKey);
  const struck = secrets.reduce((rest, secret) => rest.replaceAll(secret, "***"), text)
    .replaceAll(/\b(?:sk|gsk|xai)[-_][\w*.-]{6,}|\bBearer \S+/g, "***")
    .replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  return struck.length > MAX_QUOTE ? `${struck.slice(0, MAX_QUOTE).toWellFormed()} …` : struck;
}
