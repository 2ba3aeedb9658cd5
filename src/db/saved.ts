/**
 * Connections that a person saved under a name, and the targets they mean. Where they are kept is settings/connections.ts's.
 */
import { Fault } from "../base/fault.ts";
import type { Server, Target } from "./driver.ts";
import { buildServer } from "./dsn.ts";
import { fileTarget, memoryTarget } from "./file_targets.ts";
import { csvOptions } from "./file_url.ts";
import { absolutePath, type Places } from "./paths.ts";
import { type TlsSettings, toTls } from "./tls.ts";

/** One saved connection as it was written; `database` is a file's path or a server's database. */
export interface SavedConnection {
  readonly name: string;
  readonly type: "postgresql" | "mysql" | "sqlite" | "duckdb" | "csv";
  readonly host?: string;
  /** 0 or absent: the engine's own. */
  readonly port?: number;
  readonly database?: string;
  readonly user?: string;
  readonly password?: string;
  readonly tls: TlsSettings;
  /** `delimiter`, `encoding` and `header` of a CSV file. */
  readonly csv: readonly (readonly [string, string])[];
  readonly excludeSchemas: readonly string[];
  readonly description?: string;
}

export interface SavedConnections {
  /** Undefined when no connection has the name. Throws Fault `bad_target` when what is saved can't be understood. */
  find(name: string): Promise<SavedConnection | undefined>;
  /** The name of the connection that is used when none is asked for. */
  defaultName(): Promise<string | undefined>;
}

/** Throws Fault `bad_target`, naming the connection. */
export function savedTarget(saved: SavedConnection, places: Places): Target {
  try {
    return { ...bareTarget(saved, places), ...labels(saved) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(error.code, `Saved connection ${JSON.stringify(saved.name)}: ${error.message}`);
  }
}

function labels({ name, excludeSchemas, description }: SavedConnection) {
  return { name, excludeSchemas, saved: true as const, ...description ? { description } : {} };
}

function bareTarget(saved: SavedConnection, places: Places): Target {
  switch (saved.type) {
    case "postgresql":
      return server(saved, { engine: "postgres", port: 5432, places });
    case "mysql":
      return server(saved, { engine: "mysql", port: 3306, places });
    case "sqlite":
    case "duckdb":
    case "csv":
      return file(saved, { type: saved.type, places });
  }
}

function server(
  saved: SavedConnection,
  { engine, port, places }: { engine: Server["engine"]; port: number; places: Places },
): Server {
  const { host, user, password, database } = saved;
  const hosts = host ? [{ host, port: saved.port || port }] : [];
  return buildServer(engine, { hosts, user, password, database, tls: toTls(saved.tls, places), places });
}

function file(
  saved: SavedConnection,
  { type, places }: { type: "sqlite" | "duckdb" | "csv"; places: Places },
): Target {
  const typed = saved.database ?? "";
  if (typed === ":memory:" && type !== "csv") return memoryTarget(type);
  const options = csvOptions(saved.csv);
  return fileTarget({ path: absolutePath(typed, places), typed, expected: type, options });
}
