/**
 * The address of a server as a person gives it once, taken apart to be saved: `postgresql://user:password@host:port/database`.
 * Addresses that cannot be saved in parts (several hosts, sockets, unknown parameters) are refused.
 */
import { Fault } from "../base/fault.ts";

export interface ServerAddress {
  readonly type: "postgresql" | "mysql";
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly ssl: {
    readonly mode?: string;
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
  };
}

const TYPES: { readonly [protocol: string]: ServerAddress["type"] } = {
  "postgres:": "postgresql",
  "postgresql:": "postgresql",
  "mysql:": "mysql",
  "mariadb:": "mysql",
};

export const DEFAULT_PORTS = { postgresql: 5432, mysql: 3306 } as const;

const SSL: { readonly [parameter: string]: keyof ServerAddress["ssl"] } = {
  sslmode: "mode",
  ssl_mode: "mode",
  sslrootcert: "ca",
  ssl_ca: "ca",
  sslcert: "cert",
  ssl_cert: "cert",
  sslkey: "key",
  ssl_key: "key",
};

/** Undefined for what is no address of a server. Throws Fault `usage`; it repeats nothing of the address. */
export function parseServerAddress(text: string): ServerAddress | undefined {
  const scheme = /^[a-z]+:(?=\/\/)/i.exec(text)?.[0].toLowerCase() ?? "";
  const type = Object.hasOwn(TYPES, scheme) ? TYPES[scheme] : undefined;
  if (type === undefined) return undefined;
  const url = URL.parse(text);
  if (!url || url.hostname === "") {
    throw refusal("it has no host, or a character that must be written as %XX");
  }
  const ssl: { -readonly [part in keyof ServerAddress["ssl"]]: ServerAddress["ssl"][part] } = {};
  for (const [name, value] of url.searchParams) {
    const part = Object.hasOwn(SSL, name) ? SSL[name] : undefined;
    if (part === undefined) throw refusal("it has a parameter that a saved connection does not keep");
    ssl[part] = value;
  }
  return {
    type,
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? DEFAULT_PORTS[type] : Number(url.port),
    database: decode(url.pathname.slice(1)),
    user: decode(url.username),
    password: url.password === "" ? undefined : decode(url.password),
    ssl,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refusal("a % in it is no escape. Write %25 for a percent sign");
  }
}

function refusal(state: string): Fault {
  return new Fault(
    "usage",
    `Cannot save the address: ${state}. Or use --type, --host, --database and --username.`,
  );
}
