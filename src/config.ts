/**
 * Flags, environment and defaults -> one frozen Config. The only file besides main.ts that reads the environment.
 * It opens nothing: files of the user are read by settings/, and only when something needs them.
 */
import { commaList } from "./base/comma_list.ts";
import type { Flags } from "./args.ts";
import { Fault } from "./base/fault.ts";
import { shown } from "./base/shown.ts";
import { type LogSettings, readLogSettings } from "./base/log_settings.ts";
import type { EngineName } from "./db/driver.ts";

export interface Config {
  /** `-d` values in order; empty means the saved default. */
  readonly databases: readonly string[];
  /** `provider:id`, from the flag or SQLSABER_MODEL. */
  readonly model: string | undefined;
  /** `--key-file`: a file with the API key of the model's provider. */
  readonly keyFile: string | undefined;
  readonly access: "read" | "write";
  readonly timeoutMs: number;
  /** What the flags say about reasoning; undefined leaves it to the saved settings. */
  readonly thinking: boolean | undefined;
  readonly csvToolResults: boolean;
  /** The saved thread to go on with. */
  readonly thread: string | undefined;
  /** Whether completed turns are saved. */
  readonly keepThread: boolean;
  /** `--system-prompt` as given: a text, or the path of a file with one. */
  readonly systemPrompt: string | undefined;
  /** `--driver` of saber plugin, as given. */
  readonly driver: string | undefined;
  readonly folders: Folders;
  /** Whether a terminal may be painted: NO_COLOR is not set, and the terminal is no dumb one. */
  readonly color: boolean;
  /** Where `saber upgrade --check` asks for the newest release. */
  readonly newestReleaseUrl: string;
  /** The theme that SQLSABER_THEME names. */
  readonly theme: string | undefined;
  readonly log: LogSettings;
  /** Schemas hidden from discovery, by engine. */
  readonly excludeSchemas: { readonly [engine in EngineName]?: readonly string[] };
  /** All variables, for keys and addresses whose names only the providers know. */
  readonly environment: { readonly [name: string]: string | undefined };
}

/** Where the files of the user live; shared with the Python program of the same name where formats are shared. */
export interface Folders {
  readonly home: string;
  readonly config: string;
  readonly data: string;
  readonly log: string;
}

const DEFAULT_TIMEOUT_SECONDS = 30;
const MAX_TIMEOUT_SECONDS = 86_400;
const APP = "sqlsaber";
const NEWEST_RELEASE_URL = "https://api.github.com/repos/saber-sql/saber/releases/latest";

/** Throws Fault `usage` for a value that cannot be meant. */
export function loadConfig(flags: Flags): Config {
  const folders = findFolders();
  if (flags.thread !== undefined && flags["no-thread"]) {
    throw new Fault("usage", "--thread and --no-thread exclude each other. Leave one of them out.");
  }
  return Object.freeze({
    databases: flags.database ?? [],
    model: flags.model ?? env("SQLSABER_MODEL"),
    keyFile: flags["key-file"],
    access: flags["allow-dangerous"] ? "write" : "read",
    timeoutMs: 1000 * seconds(flags.timeout ?? env("SQLSABER_TIMEOUT")),
    thinking: flags["no-thinking"] ? false : flags.thinking,
    csvToolResults: (flags["csv-tool-results"] ?? false) && !flags["no-csv-tool-results"],
    thread: flags.thread,
    keepThread: !flags["no-thread"],
    systemPrompt: flags["system-prompt"],
    driver: flags.driver,
    folders,
    color: env("NO_COLOR") === undefined && env("TERM") !== "dumb",
    newestReleaseUrl: env("SQLSABER_RELEASE_URL") ?? NEWEST_RELEASE_URL,
    theme: env("SQLSABER_THEME"),
    log: readLogSettings(env, { folder: folders.log }),
    excludeSchemas: {
      postgres: commaList(env("SQLSABER_PG_EXCLUDE_SCHEMAS")),
      mysql: commaList(env("SQLSABER_MYSQL_EXCLUDE_SCHEMAS")),
      duckdb: commaList(env("SQLSABER_DUCKDB_EXCLUDE_SCHEMAS")),
      files: commaList(env("SQLSABER_DUCKDB_EXCLUDE_SCHEMAS")),
    },
    environment: Deno.env.toObject(),
  });
}

/** A variable of the environment; an empty one counts as absent. */
function env(name: string): string | undefined {
  return Deno.env.get(name) || undefined;
}

function seconds(text: string | undefined): number {
  if (text === undefined) return DEFAULT_TIMEOUT_SECONDS;
  const value = Number(text);
  if (value > 0 && value <= MAX_TIMEOUT_SECONDS) return value;
  throw new Fault(
    "usage",
    `The timeout must be a number of seconds above 0 and up to ${MAX_TIMEOUT_SECONDS}, not ${shown(text)}.`,
  );
}

/** The places that the platform's conventions name (saber shares them with the Python program). */
function findFolders(): Folders {
  const home = env("HOME") ?? env("USERPROFILE") ?? homeOfUser() ?? ".";
  switch (Deno.build.os) {
    case "windows": {
      const root = `${env("LOCALAPPDATA") ?? `${home}/AppData/Local`}/${APP}/${APP}`;
      return { home, config: root, data: root, log: `${root}/Logs` };
    }
    case "darwin": {
      const root = `${home}/Library/Application Support/${APP}`;
      return { home, config: root, data: root, log: `${home}/Library/Logs/${APP}` };
    }
    default:
      return {
        home,
        config: `${env("XDG_CONFIG_HOME") ?? `${home}/.config`}/${APP}`,
        data: `${env("XDG_DATA_HOME") ?? `${home}/.local/share`}/${APP}`,
        log: `${env("XDG_STATE_HOME") ?? `${home}/.local/state`}/${APP}/log`,
      };
  }
}

/** What the system knows of the user's home where the environment says nothing. */
function homeOfUser(): string | undefined {
  try {
    const users = Deno.readTextFileSync("/etc/passwd").split("\n").map((line) => line.split(":"));
    return users.find(([_name, _password, id]) => id === String(Deno.uid()))?.[5];
  } catch {
    return undefined;
  }
}
