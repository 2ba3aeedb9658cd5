/**
 * The log: one JSON object a line, for the people who look after an installation; never for a protocol's peer.
 * Where lines go is the caller's business. Nothing that may hold a secret is passed to it: no SQL, argv, DSN or value.
 */
import { toJson } from "./json.ts";

export type LogLevel = "error" | "warning" | "info";

/** Writes one entry; `error` is reduced to its name, message and stack. */
export type Log = (level: LogLevel, message: string, error?: unknown) => void;

export function createLog(write: (line: string) => void): Log {
  return (level, message, error) => {
    write(
      toJson({
        time: new Date().toISOString(),
        level,
        message,
        ...(error === undefined ? {} : { error: trace(error) }),
      }),
    );
  };
}

/** The thrown value with its causes. */
function trace(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? own : `${own}\ncaused by ${trace(error.cause)}`;
}
