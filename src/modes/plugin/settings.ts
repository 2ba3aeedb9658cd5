/**
 * What the host's settings say. Values may be missing, null or of another type: then the default holds, and nothing fails.
 */
import { LOG_LEVELS, type LogLevel } from "../../base/log.ts";

export interface Settings {
  /** Connections at once of one address. */
  readonly poolMaxSize: number;
  readonly connectTimeoutMs: number;
  /** Infinity: none. */
  readonly statementTimeoutMs: number;
  /** Bytes of a binary value that a result shows. */
  readonly maxCellBytes: number;
  readonly maxResponseBytes: number;
  /** How long a tab's open transaction may lie unused, in milliseconds. */
  readonly sessionIdleMs: number;
  readonly access: "read" | "write";
  /** The zone that moments are shown in; undefined for the one that the server gives a session. */
  readonly timeZone: "UTC" | undefined;
  /** Entries of the log below it are dropped. */
  readonly logLevel: LogLevel;
}

interface Bounds {
  readonly usual: number;
  readonly least: number;
  readonly most: number;
}

function number(value: unknown, { usual, least, most }: Bounds): number {
  const isNumber = typeof value === "number" || (typeof value === "string" && value.trim() !== "");
  const read = isNumber ? Number(value) : usual;
  return Number.isFinite(read) ? Math.min(most, Math.max(least, read)) : usual;
}

/** `sent`: the `settings` of `initialize`, whatever it is. */
export function readSettings(sent: unknown): Settings {
  const values: Readonly<Record<string, unknown>> = typeof sent === "object" && sent !== null
    ? { ...sent }
    : {};
  const timeout = number(values.statementTimeoutSeconds, { usual: 0, least: 0, most: 86_400 });
  return {
    poolMaxSize: Math.floor(number(values.poolMaxSize, { usual: 10, least: 1, most: 64 })),
    connectTimeoutMs: 1000 * number(values.connectTimeoutSeconds, { usual: 10, least: 1, most: 60 }),
    statementTimeoutMs: timeout === 0 ? Infinity : 1000 * timeout,
    maxCellBytes: Math.floor(number(values.maxCellBytes, { usual: 4096, least: 64, most: 1 << 20 })),
    maxResponseBytes: (1 << 20) * number(values.maxResponseMiB, { usual: 64, least: 1, most: 256 }),
    sessionIdleMs: 60_000 * number(values.sessionIdleMinutes, { usual: 30, least: 1, most: 1440 }),
    access: values.readOnly === true || values.readOnly === "true" ? "read" : "write",
    timeZone: values.timestamptzZone === "session" ? undefined : "UTC",
    logLevel: LOG_LEVELS.find((level) => level === values.logLevel) ?? "info",
  };
}
