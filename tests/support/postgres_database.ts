/** Opens the engine under test on a test server, and reads whole results from it. */
import { driver } from "../../src/db/postgres/engine.ts";
import type { Access, Cursor, Database, Server, Tls } from "../../src/db/driver.ts";
import type { Row } from "../../src/db/values.ts";
import { adminClient, type Login, type PostgresServer, READER } from "./postgres_server.ts";

export interface OpenPostgresOptions {
  readonly login?: Partial<Login>;
  readonly database?: string;
  readonly access?: Access;
  readonly timeoutMs?: number;
  readonly hosts?: Server["hosts"];
  readonly tls?: Tls;
  readonly excludeSchemas?: readonly string[];
}

/** By default as the reader of the shop, over TCP without TLS. */
export function postgresTarget(server: PostgresServer, options: OpenPostgresOptions = {}): Server {
  return {
    engine: "postgres",
    name: "shop",
    database: options.database ?? "shop",
    hosts: options.hosts ?? [{ host: "127.0.0.1", port: server.port }],
    ...options.login ?? READER,
    tls: options.tls ?? { mode: "disable" },
    excludeSchemas: options.excludeSchemas ?? [],
  };
}

/** The same target, opened. */
export async function openPostgres(
  server: PostgresServer,
  options: OpenPostgresOptions = {},
): Promise<Database> {
  return await driver.open(postgresTarget(server, options), {
    access: options.access ?? "read",
    timeoutMs: options.timeoutMs ?? 20_000,
  });
}

export interface Result {
  readonly columns: Cursor["columns"];
  readonly rows: Row[];
  readonly affected: number | undefined;
}

/** Runs a statement past the guard and reads it to its end. */
export async function runAll(
  database: Database,
  sql: string,
  { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
): Promise<Result> {
  const caps = { unlimited: 1_000_000, limited: 1_000_000 };
  const cursor = await database.run({ sql, caps, signal });
  const rows: Row[] = [];
  for await (const batch of cursor.batches) rows.push(...batch);
  return { columns: cursor.columns, rows, affected: cursor.affected };
}

/** A new database of the server, in which these statements were run by the administrator. */
export async function createDatabase(
  server: PostgresServer,
  setup: readonly string[],
): Promise<{ name: string; drop: () => Promise<void> }> {
  const name = `test_${crypto.randomUUID().slice(0, 13)}`;
  await asAdmin(server, "postgres", [`CREATE DATABASE "${name}"`]);
  await asAdmin(server, name, setup);
  const disconnect = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
  return { name, drop: () => asAdmin(server, "postgres", [disconnect, `DROP DATABASE "${name}"`]) };
}

async function asAdmin(
  server: PostgresServer,
  database: string,
  statements: readonly string[],
): Promise<void> {
  const admin = adminClient(server, database);
  for (const statement of statements) await admin.unsafe(statement);
  await admin.end();
}
