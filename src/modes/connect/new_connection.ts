/**
 * The connection that `saber db add` saves, made of its words and flags.
 */
import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { shown } from "../../base/shown.ts";
import type { Target } from "../../db/driver.ts";
import type { WrittenConnection } from "../../settings/connection_file.ts";
import { DEFAULT_PORTS, parseServerAddress, type ServerAddress } from "../../settings/server_address.ts";
import { listOf } from "./list_of.ts";

export interface NewConnection {
  readonly connection: WrittenConnection;
  readonly password: string | undefined;
}

/** What all kinds have in common. */
type Shared = Pick<WrittenConnection, "name" | "exclude_schemas" | "description">;

/** Throws Fault: usage, bad_target. */
export async function connectionOf(
  app: App,
  { name, target }: { name: string; target: string | undefined },
): Promise<NewConnection> {
  const { flags } = app.given;
  const [database, ...others] = flags.database ?? [];
  if (others.length > 0 || (target !== undefined && database !== undefined)) {
    throw new Fault("usage", "A connection has one database. Name it once.");
  }
  const shared: Shared = {
    name,
    exclude_schemas: listOf(flags["exclude-schemas"] ?? ""),
    description: flags.description ?? null,
  };
  const address = target === undefined ? undefined : parseServerAddress(target);
  if (address) return { connection: serverOf(address, shared), password: address.password };
  const type = flags.type ?? (target === undefined && flags.host !== undefined ? "postgresql" : undefined);
  if (type === "postgresql" || type === "mysql") {
    return {
      connection: serverOf(fromFlags(app, { type, database: target ?? database }), shared),
      password: undefined,
    };
  }
  const path = target ?? database;
  if (path === undefined || path === "") {
    throw new Fault("usage", "A connection needs a file or an address. Run 'saber db add --help'.");
  }
  return { connection: fileOf(await app.resolve([path]), { shared, type }), password: undefined };
}

function fromFlags(
  { given: { flags } }: App,
  { type, database }: { type: ServerAddress["type"]; database: string | undefined },
): ServerAddress {
  const port = flags.port === undefined ? DEFAULT_PORTS[type] : Number(flags.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Fault(
      "usage",
      `Cannot use the port ${shown(flags.port ?? "")}: it is no number from 1 to 65535.`,
    );
  }
  if (database === undefined) throw new Fault("usage", "A server's connection needs --database NAME.");
  if (flags.username === undefined) throw new Fault("usage", "A server's connection needs --username NAME.");
  return {
    type,
    host: flags.host ?? "localhost",
    port,
    database,
    user: flags.username,
    password: undefined,
    ssl: {
      ...flags["ssl-mode"] === undefined ? {} : { mode: flags["ssl-mode"] },
      ...flags["ssl-ca"] === undefined ? {} : { ca: flags["ssl-ca"] },
      ...flags["ssl-cert"] === undefined ? {} : { cert: flags["ssl-cert"] },
      ...flags["ssl-key"] === undefined ? {} : { key: flags["ssl-key"] },
    },
  };
}

function serverOf(
  { type, host, port, database, user, ssl }: ServerAddress,
  shared: Shared,
): WrittenConnection {
  const { name, ...rest } = shared;
  return {
    ...{ name, type, host, port, database, username: user },
    ...{
      ssl_mode: ssl.mode ?? null,
      ssl_ca: ssl.ca ?? null,
      ssl_cert: ssl.cert ?? null,
      ssl_key: ssl.key ?? null,
    },
    schema: null,
    ...rest,
  };
}

const NO_TLS = { ssl_mode: null, ssl_ca: null, ssl_cert: null, ssl_key: null };

function fileOf(
  [target, ...others]: readonly Target[],
  { shared, type }: { shared: Shared; type: string | undefined },
): WrittenConnection {
  const { path, kind, schema } = partsOf(target);
  if (path === undefined || kind === undefined || others.length > 0) {
    throw new Fault(
      "usage",
      "Cannot save this: only one SQLite, DuckDB, CSV or Parquet file, or a server, can be saved.",
    );
  }
  if (type !== undefined && type !== kind) {
    throw new Fault("usage", `Cannot save the file as ${type}: it is ${kind}. Leave --type out.`);
  }
  const { name, ...rest } = shared;
  return {
    name,
    type: kind,
    host: "localhost",
    port: 0,
    database: path,
    username: kind,
    ...NO_TLS,
    schema,
    ...rest,
  };
}

interface FileParts {
  readonly path?: string;
  readonly kind?: "sqlite" | "duckdb" | "csv";
  readonly schema: string | null;
}

function partsOf(target: Target | undefined): FileParts {
  switch (target?.engine) {
    case "sqlite":
    case "duckdb":
      return { path: target.path, kind: target.engine, schema: null };
    case "files": {
      const [file, ...others] = target.files;
      if (!file || others.length > 0 || file.format === "json") return { schema: null };
      const { delimiter, encoding, header, sample } = file;
      const options = { delimiter, encoding, header, sample };
      const schema = Object.values(options).some((value) => value !== undefined)
        ? JSON.stringify(options)
        : null;
      return { path: file.path, kind: "csv", schema };
    }
    default:
      return { schema: null };
  }
}
