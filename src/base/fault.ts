/**
 * Fault: the one error class of the program, with a closed set of codes.
 * What a code looks like on the wire is decided by each mode, not here.
 */

/** Every kind of failure that a peer may be told about. */
export type FaultCode =
  // how the program was started or configured
  | "usage"
  | "no_database"
  | "no_model"
  | "bad_target"
  // a command that is malformed or comes at the wrong moment
  | "parse_error"
  | "invalid_request"
  | "unknown_command"
  | "bad_request"
  | "bad_state"
  | "unavailable"
  | "closed"
  // what a statement was refused for, before anything reached a database
  | "unknown_database"
  | "db_required"
  | "not_read_only"
  | "multiple_statements"
  | "forbidden_function"
  | "bad_limit"
  | "not_understood"
  // what a database said
  | "syntax_error"
  | "unknown_relation"
  | "unknown_column"
  | "permission_denied"
  | "constraint"
  | "database_error"
  | "unreachable"
  | "auth_failed"
  | "busy"
  // limits
  | "timeout"
  | "cancelled"
  | "too_large"
  | "unsupported_value"
  // model servers
  | "model_error"
  | "model_unreachable"
  | "model_auth"
  | "model_overloaded"
  | "model_timeout"
  // a defect of ours
  | "internal";

/** What a server said in its own words. Modes decide whether a peer may read it (docs/values.md, "Errors"). */
export interface ServerText {
  readonly message: string;
  /** SQLSTATE, or the engine's own error number as text. */
  readonly state?: string;
  readonly detail?: string;
  readonly hint?: string;
  /** Offset of the fault in the statement that was sent, in characters, from 1. */
  readonly position?: number;
}

/** Says that the same may work a little later. */
export interface Retry {
  /** How long the other side asks to be left alone, in milliseconds. */
  readonly afterMs?: number;
}

export interface FaultOptions {
  readonly retry?: Retry;
  readonly server?: ServerText;
  readonly cause?: unknown;
}

/**
 * A failure with a code and one sentence of ours: "Cannot <do> <thing>: <state>." and what to do next.
 * `message` never holds a server's text, a DSN, a key or a cell value.
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  readonly server?: ServerText;
  readonly retry?: Retry;

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    if (options.server) this.server = options.server;
    if (options.retry) this.retry = options.retry;
  }
}

/** Any thrown value as a Fault; what is not one already is a defect of ours and hides its text. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof DOMException && error.name === "AbortError") {
    return new Fault("cancelled", "The operation was cancelled.", { cause: error });
  }
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return new Fault("timeout", "The operation took too long and was stopped.", { cause: error });
  }
  return new Fault("internal", "Internal error: an unexpected failure; the log has the details.", {
    cause: error,
  });
}
