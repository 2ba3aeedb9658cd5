/**
 * The log: one JSON object a line, for the people who look after an installation; never for a protocol's peer.
 * Where lines go is the caller's business. Nothing that may hold a secret is passed to it: no SQL, argv, DSN or value.
 */
import { toJson } from "./json.ts";

/** The weightiest first. */
export const LOG_LEVELS = ["error", "warning", "info"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogDetails {
  readonly level: LogLevel;
  /** Written with its stack and its causes. */
  readonly error?: unknown;
}

export type Log = (message: string, details: LogDetails) => void;

/** The same log without what is below `least` at the time. */
export function quieter(log: Log, least: () => LogLevel): Log {
  return (message, details) => {
    if (LOG_LEVELS.indexOf(details.level) <= LOG_LEVELS.indexOf(least())) log(message, details);
  };
}

/** A log whose entries below `least` are dropped. */
export function createLog(write: (line: string) => void, least: LogLevel): Log {
  return quieter((message, { level, error }) => {
    const time = new Date().toISOString();
    write(toJson({ time, level, message, error: error === undefined ? undefined : trace(error) }));
  }, () => least);
}

/** The thrown value with its causes. */
function trace(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? own : `${own}\ncaused by ${trace(error.cause)}`;
}
