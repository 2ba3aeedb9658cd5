/**
 * The connections that a person saved, read from `database_config.json`. Passwords are not in that file: they are looked up
 * by a function. What a connection means is db/saved.ts's.
 */
import * as z from "zod/mini";
import { Fault } from "../base/fault.ts";
import type { SavedConnection, SavedConnections } from "../db/saved.ts";

/** The password kept for a connection's user; undefined where there is none. */
export type PasswordLookup = (
  account: { readonly name: string; readonly user: string },
) => Promise<string | undefined>;

const text = z.optional(z.nullable(z.string()));

const Entry = z.object({
  type: z.enum(["postgresql", "mysql", "sqlite", "duckdb", "csv"]),
  host: text,
  port: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(65535)))),
  database: text,
  username: text,
  ssl_mode: text,
  ssl_ca: text,
  ssl_cert: text,
  ssl_key: text,
  /** For CSV files a JSON object with their options. */
  schema: text,
  exclude_schemas: z.optional(z.nullable(z.array(z.string()))),
  description: text,
});

/** Each connection is checked when it is used, so that a broken one does not keep the others from working. */
const Settings = z.object({
  default: text,
  connections: z.optional(z.record(z.string(), z.unknown())),
});

const CsvSettings = z.record(z.string(), z.union([z.string(), z.boolean()]));

/** Reads the file at each question, so that what another process saved is seen. A missing file holds no connections. */
export function savedConnections(
  path: string,
  options: { readonly password: PasswordLookup },
): SavedConnections {
  return {
    async find(name) {
      const { connections = {} } = await readSettings(path);
      if (!Object.hasOwn(connections, name)) return undefined;
      const saved = toConnection(connections[name], { name, path });
      if (saved.user === undefined || (saved.type !== "postgresql" && saved.type !== "mysql")) return saved;
      const password = await options.password({ name, user: saved.user });
      return password === undefined ? saved : { ...saved, password };
    },
    async defaultName() {
      return (await readSettings(path)).default ?? undefined;
    },
  };
}

async function readSettings(path: string): Promise<z.infer<typeof Settings>> {
  let json: string;
  try {
    json = await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw unreadable(path, "the file can't be read. Check its permissions");
  }
  const settings = Settings.safeParse(parseJson(json));
  if (settings.success) return settings.data;
  throw unreadable(
    path,
    "the file is not in the form that saber writes. Correct it, or remove it and add them again",
  );
}

function toConnection(
  written: unknown,
  { name, path }: { name: string; path: string },
): SavedConnection {
  const entry = Entry.safeParse(written);
  const csv = entry.success && entry.data.type === "csv" && entry.data.schema
    ? CsvSettings.safeParse(parseJson(entry.data.schema))
    : undefined;
  if (!entry.success || csv?.success === false) {
    const place = entry.success ? "schema" : entry.error.issues[0]?.path.join(".") || "its form";
    throw new Fault(
      "bad_target",
      `Cannot use the saved connection ${
        JSON.stringify(name)
      }: ${place} is wrong in ${path}. Correct it, or add it again.`,
    );
  }
  const { type, ssl_mode, ssl_ca, ssl_cert, ssl_key, exclude_schemas, ...rest } = entry.data;
  return {
    name,
    type,
    ...defined({ host: rest.host, port: rest.port, database: rest.database, user: rest.username }),
    ...defined({ description: rest.description }),
    tls: defined({ mode: ssl_mode, ca: ssl_ca, cert: ssl_cert, key: ssl_key }),
    csv: Object.entries(csv?.data ?? {}).map(([key, value]) => [key, String(value)]),
    excludeSchemas: exclude_schemas ?? [],
  };
}

/** The members that have a value; empty text is none. */
function defined<T extends { readonly [key: string]: string | number | null | undefined }>(members: T) {
  const kept: { [key in keyof T]?: NonNullable<T[key]> } = {};
  for (const key in members) {
    const value = members[key];
    if (value !== null && value !== undefined && value !== "") kept[key] = value;
  }
  return kept;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function unreadable(path: string, state: string): Fault {
  return new Fault("bad_target", `Cannot read the saved connections in ${path}: ${state}.`);
}
