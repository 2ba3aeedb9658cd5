/**
 * What is wrong with a connection to a model server. The runtime tells it only in words, which differ between versions.
 */
import type { Fault } from "../base/fault.ts";
import { type Asked, askFault } from "./server_fault.ts";

const CHECK_SERVER = "Check that the server runs and that its address is right.";
const AGAIN = "Ask again.";
const UNREACHABLE = [/./, "cannot be reached", CHECK_SERVER] as const;
const CONNECTION_STATES: readonly (readonly [RegExp, string, string])[] = [
  [/refused/i, "refuses connections", CHECK_SERVER],
  [/dns error|lookup/i, "is not a known host name", CHECK_SERVER],
  [/tls|certificate/i, "does not offer a valid TLS connection", CHECK_SERVER],
  [/reading a body|unexpected end of file/i, "broke off the connection in mid-answer", AGAIN],
  [/gzip|deflate|brotli/i, "sent something that cannot be decompressed", CHECK_SERVER],
  [/reset|closed|eof|sendrequest/i, "broke off the connection", AGAIN],
];

/** A failed fetch, or a failed read of a body, as a Fault. */
export function connectionFault(error: unknown, asked: Asked): Fault {
  const text = String(error) + String(error instanceof Error ? error.cause : "");
  const [, state, next] = CONNECTION_STATES.find(([words]) => words.test(text)) ?? UNREACHABLE;
  return askFault(asked, {
    fault: "model_unreachable",
    state,
    next,
    ...(next === AGAIN ? { retry: true } : {}),
  });
}
