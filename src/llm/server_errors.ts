/**
 * What servers' error codes and HTTP statuses mean, as data: the fault, the state to tell and what to do next.
 */
import type { FaultCode } from "../base/fault.ts";

/** One kind of failure; `state` goes on after the server's name. */
export interface Kind {
  readonly fault: FaultCode;
  readonly state: string;
  readonly next: string;
  /** The same request may work a little later. */
  readonly retry?: true;
}

const AUTH: Kind = {
  fault: "model_auth",
  state: "refused the API key",
  next: "Check the key of this provider.",
};
const FORBIDDEN: Kind = {
  fault: "model_auth",
  state: "denied access",
  next: "Check that the key may use this model.",
};
const RATE: Kind = {
  fault: "model_overloaded",
  state: "limits the rate of requests",
  next: "Wait a little and ask again.",
  retry: true,
};
const QUOTA: Kind = {
  fault: "model_overloaded",
  state: "says that the account's quota is used up",
  next: "Check the account's plan and billing, or choose another model.",
};
const OVERLOADED: Kind = {
  fault: "model_overloaded",
  state: "is overloaded",
  next: "Wait a little and ask again.",
  retry: true,
};
const SLOW: Kind = {
  fault: "model_timeout",
  state: "gave up waiting for the model",
  next: "Ask again.",
  retry: true,
};
const UNKNOWN: Kind = {
  fault: "model_error",
  state: "does not know this model or address",
  next: "Check the model's id and the base URL.",
};
const TOO_LONG: Kind = {
  fault: "too_large",
  state: "cannot take so long a conversation",
  next: "Begin a new session, or choose a model with a larger context.",
};
export const REFUSED: Kind = {
  fault: "model_error",
  state: "refused the request",
  next: "Choose another model if this goes on.",
};
export const FAILED: Kind = {
  fault: "model_error",
  state: "reported a failure",
  next: "Ask again.",
  retry: true,
};

/** Codes and types of errors, where they say more than the status. */
export const BY_CODE: { readonly [code: string]: Kind } = {
  invalid_api_key: AUTH,
  authentication_error: AUTH,
  permission_error: FORBIDDEN,
  insufficient_quota: QUOTA,
  billing_error: QUOTA,
  rate_limit_exceeded: RATE,
  rate_limit_error: RATE,
  overloaded: OVERLOADED,
  overloaded_error: OVERLOADED,
  timeout: SLOW,
  timeout_error: SLOW,
  model_not_found: UNKNOWN,
  not_found_error: UNKNOWN,
  context_length_exceeded: TOO_LONG,
  request_too_large: TOO_LONG,
  api_error: FAILED,
  server_error: FAILED,
};

export const BY_STATUS: { readonly [status: number]: Kind } = {
  401: AUTH,
  402: QUOTA,
  403: FORBIDDEN,
  404: UNKNOWN,
  408: SLOW,
  413: TOO_LONG,
  429: RATE,
  503: OVERLOADED,
  504: SLOW,
  524: SLOW,
  529: OVERLOADED,
};

/** What some servers tell in words alone, with the status of a wrong request. */
export const BY_WORDS: readonly (readonly [RegExp, Kind])[] = [
  [/prompt is too long|context (length|window|size)|maximum number of tokens|input length/i, TOO_LONG],
  [/credit balance is too low|exceeded your .*quota/i, QUOTA],
];
