/**
 * What servers do wrong whatever API they speak, and the sentence that comes of it. model_suite.ts plays them.
 */
import type { Play } from "../support/model_server.ts";

export const KEY = "sk-test-0123456789abcdef";

export interface Failing {
  readonly code: string;
  readonly says: RegExp;
  readonly quotes?: string;
}

const json = (status: number, error: unknown): Play => ({ status, body: JSON.stringify({ error }) });
export const stream = (text: string): Play => ({ stream: { text } });

export type Row = readonly [string, Play, Failing];

export const NOT_AN_ANSWER = /something that is not an? [A-Z][\w ]+ answer/;

/** What a server of any API does, and the code, sentence and quotation that come of it. */
export const FAILURES: readonly Row[] = [
  [
    "a refused key that is echoed",
    json(401, { message: `Incorrect API key provided: ${KEY}.`, code: "invalid_api_key" }),
    {
      code: "model_auth",
      says: /refused the API key \(HTTP 401\)/,
      quotes: "Incorrect API key provided: ***.",
    },
  ],
  ["denied access", json(403, { message: "No access to\nthis  model" }), {
    code: "model_auth",
    says: /denied access \(HTTP 403\)/,
    quotes: "No access to this model",
  }],
  ["an unknown model", json(404, { message: "The model `x` does not exist", code: "model_not_found" }), {
    code: "model_error",
    says: /does not know this model or address \(HTTP 404\)/,
    quotes: "The model `x` does not exist",
  }],
  ["a limit of requests", json(429, { message: "Slow down", code: "rate_limit_exceeded" }), {
    code: "model_overloaded",
    says: /limits the rate of requests \(HTTP 429\)/,
    quotes: "Slow down",
  }],
  ["a used-up quota", json(429, { message: "You exceeded your quota", code: "insufficient_quota" }), {
    code: "model_overloaded",
    says: /quota is used up \(HTTP 429\)/,
    quotes: "You exceeded your quota",
  }],
  ["an overloaded server", json(529, { message: "Overloaded", type: "overloaded_error" }), {
    code: "model_overloaded",
    says: /is overloaded \(HTTP 529\)/,
    quotes: "Overloaded",
  }],
  [
    "too long a conversation",
    json(400, { message: "maximum context length", code: "context_length_exceeded" }),
    {
      code: "too_large",
      says: /cannot take so long a conversation \(HTTP 400\)/,
      quotes: "maximum context length",
    },
  ],
  ["a gateway that gave up", { status: 504, body: "upstream timed out" }, {
    code: "model_timeout",
    says: /gave up waiting for the model \(HTTP 504\)/,
    quotes: "upstream timed out",
  }],
  ["a failure with a long text", { status: 500, body: "x".repeat(1_000_000) }, {
    code: "model_error",
    says: /reported a failure \(HTTP 500\)/,
    quotes: `${"x".repeat(300)} …`,
  }],
  ["a failure without a body", { status: 500, body: "" }, {
    code: "model_error",
    says: /reported a failure \(HTTP 500\)/,
  }],
  ["an answer that is elsewhere", {
    status: 307,
    body: "",
    headers: { location: "http://user:secret@127.0.0.1:1/v1?key=secret" },
  }, {
    code: "model_error",
    says: /sends requests on to http:\/\/127\.0\.0\.1:1 \(HTTP 307\)\. If you trust that address/,
  }],
  ["an error page", {
    status: 502,
    body: "<html><body>Bad gateway</body></html>",
    headers: { "content-type": "text/html" },
  }, {
    code: "model_error",
    says: /reported a failure \(HTTP 502\)/,
  }],
  ["a web page as the answer", {
    status: 200,
    body: "<!doctype html>\n<p>data: 1",
    headers: { "content-type": "text/html" },
  }, {
    code: "model_error",
    says: NOT_AN_ANSWER,
  }],
  ["a document as the answer", { status: 200, body: '{"object":"chat.completion","choices":[]}' }, {
    code: "model_error",
    says: NOT_AN_ANSWER,
  }],
  ["an answer that is said to be compressed", {
    status: 200,
    body: "data: {}\n\n",
    headers: { "content-encoding": "gzip" },
  }, {
    code: "model_unreachable",
    says: /sent something that cannot be decompressed/,
  }],
  ["an answer without a body", { status: 200, body: "" }, {
    code: "model_error",
    says: NOT_AN_ANSWER,
  }],
  ["a line without an end", { stream: { text: `data: ${"x".repeat(17 << 20)}` } }, {
    code: "model_error",
    says: /sent an event of more than 16 MiB/,
  }],
  ["lines that end no event", { stream: { text: `: ${"x".repeat(1000)}\n`.repeat(17_000) } }, {
    code: "model_error",
    says: /sent an event of more than 16 MiB/,
  }],
];
