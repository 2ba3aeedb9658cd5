/**
 * What a provider's client library throws, as a Fault. The libraries are of one make: their errors have the same members.
 */
import { Fault } from "../base/fault.ts";
import { type Asked, type ServerError, serverFault } from "./server_fault.ts";

interface ApiError extends Error {
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
  readonly code?: string | null | undefined;
  readonly type?: string | null | undefined;
  /** The server's own words, where the library keeps them apart. */
  readonly apiMessage?: string | null | undefined;
}

/** An adapter's client library. */
export interface Library {
  /** What it speaks, with its article: "a Chat Completions". */
  readonly api: string;
  isApiError(error: unknown): error is ApiError;
  /** Any other error of its own: a stream that it cannot read. */
  isOwnError(error: unknown): boolean;
}

/** Undefined for a stream that the library cannot read; throws what is a defect of ours. */
export function libraryFault(
  error: unknown,
  { library, asked }: { readonly library: Library; readonly asked: Asked },
): Fault | undefined {
  if (error instanceof Fault) return error;
  if (library.isApiError(error)) {
    return error.cause instanceof Fault ? error.cause : serverFault(toServerError(error), asked);
  }
  if (error instanceof SyntaxError || library.isOwnError(error)) return undefined;
  throw error;
}

function toServerError({ status, headers, code, type, apiMessage, message, cause }: ApiError): ServerError {
  const known = code ?? type ?? undefined;
  const afterMs = retryAfterMs(headers);
  return {
    // The libraries put the status before the server's words, and words of their own in the place of none or of ours.
    message: cause !== undefined
      ? ""
      : apiMessage ?? message.replace(/^\d{3} /, "").replace(/^status code \(no body\)$/, ""),
    ...(status === undefined ? {} : { status }),
    ...(known === undefined ? {} : { code: String(known) }),
    ...(afterMs === undefined ? {} : { afterMs }),
  };
}

/** RFC 9110: seconds or a date; some servers give milliseconds in a header of their own. */
function retryAfterMs(headers: Headers | undefined): number | undefined {
  const ms = headers?.get("retry-after-ms");
  const after = headers?.get("retry-after");
  const wait = ms
    ? Number(ms)
    : after && Number.isFinite(Number(after))
    ? 1000 * Number(after)
    : after
    ? Date.parse(after) - Date.now()
    : NaN;
  return Number.isFinite(wait) && wait >= 0 ? wait : undefined;
}
