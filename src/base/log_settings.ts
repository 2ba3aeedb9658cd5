/**
 * How the SQLSABER_LOG_* variables set the log up. What is logged, and where lines go, is other files' work.
 */
import { Fault } from "./fault.ts";
import type { LogLevel } from "./log.ts";

export interface LogSettings {
  readonly path: string;
  /** Entries below it are dropped. */
  readonly level: LogLevel;
  /** A copy of every entry goes to stderr. */
  readonly toStderr: boolean;
  readonly rotation: Rotation;
}

/** When the file is put aside for a new one, and how many are kept besides it. */
export interface Rotation {
  readonly every: { readonly bytes: number } | { readonly milliseconds: number };
  readonly kept: number;
}

const LEVELS: { readonly [name: string]: LogLevel } = {
  DEBUG: "info",
  INFO: "info",
  WARNING: "warning",
  ERROR: "error",
  CRITICAL: "error",
};
/** In milliseconds, as the periods. */
const DAY = 86_400_000;
/** Days and weeks begin at midnight UTC. */
const PERIODS: { readonly [name: string]: number } = {
  MIDNIGHT: DAY,
  D: DAY,
  H: DAY / 24,
  M: DAY / 1440,
  S: 1000,
  W: 7 * DAY,
};
const YES = /^(1|true|yes|on)$/i;

/** `read` gives the value of a variable. Throws Fault `usage` for a value that cannot be meant. */
export function readLogSettings(
  read: Read,
  { folder }: { readonly folder: string },
): LogSettings {
  const bySize = choice(read, { name: "ROTATION", choices: { TIME: false, SIZE: true } }) ?? false;
  const period = choice(read, { name: "WHEN", choices: PERIODS }) ?? DAY;
  return {
    path: read(`${PREFIX}FILE`) ?? `${folder}/saber.log`,
    level: choice(read, { name: "LEVEL", choices: LEVELS }) ?? "info",
    toStderr: YES.test(read(`${PREFIX}TO_STDERR`) ?? ""),
    rotation: {
      every: bySize
        ? { bytes: count(read, "MAX_BYTES") ?? 10 * 2 ** 20 }
        : { milliseconds: period * (count(read, "INTERVAL") ?? 1) },
      kept: count(read, "BACKUP_COUNT") ?? (bySize ? 5 : 14),
    },
  };
}

const PREFIX = "SQLSABER_LOG_";

type Read = (name: string) => string | undefined;

function choice<Value>(
  read: Read,
  { name, choices }: { readonly name: string; readonly choices: { readonly [name: string]: Value } },
): Value | undefined {
  const text = read(PREFIX + name);
  if (text === undefined) return undefined;
  const found = Object.entries(choices).find(([key]) => key === text.toUpperCase());
  if (found) return found[1];
  throw new Fault(
    "usage",
    `${PREFIX}${name} must be one of ${Object.keys(choices).join(", ")}, not '${text}'.`,
  );
}

function count(read: Read, name: string): number | undefined {
  const text = read(PREFIX + name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Fault("usage", `${PREFIX}${name} must be a whole number above 0, not '${text}'.`);
}
