/**
 * Opens the MySQL engine on a test server and reads whole answers, for tests that look at single statements.
 */
import type { Column, Database, OpenOptions, Server } from "../../src/db/driver.ts";
import { driver } from "../../src/db/mysql/engine.ts";
import type { Row } from "../../src/db/values.ts";
import { ADMIN, type Login, type MariadbServer } from "./mariadb_server.ts";

export interface Opening extends Partial<OpenOptions> {
  readonly server: MariadbServer;
  /** A member that is undefined leaves the usual one out. */
  readonly target?: { readonly [member in keyof Server]?: Server[member] | undefined };
  readonly login?: Login;
}

/** The shop over TCP as the administrator, unless told otherwise. */
export function mysqlTarget({ server, target = {}, login = ADMIN }: Opening): Server {
  const {
    hosts = [{ host: "127.0.0.1", port: server.port }],
    tls = { mode: "disable" },
    excludeSchemas = [],
  } = target;
  const database = "database" in target ? target.database : "shop";
  return {
    engine: "mysql",
    name: "shop",
    ...login,
    hosts,
    tls,
    excludeSchemas,
    ...database === undefined ? {} : { database },
  };
}

export function openMysql(opening: Opening): Promise<Database> {
  const { access = "read", timeoutMs = 20_000 } = opening;
  return driver.open(mysqlTarget(opening), { access, timeoutMs });
}

/** Opens a database for as long as `use` runs. */
export async function withMysql(opening: Opening, use: (database: Database) => Promise<void>): Promise<void> {
  const database = await openMysql(opening);
  try {
    await use(database);
  } finally {
    await database.close();
  }
}

export interface Answer {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly affected: number | undefined;
}

const CAPS = { unlimited: 1_000_000, limited: 1_000_000 };

export async function ask(
  database: Database,
  sql: string,
  { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
): Promise<Answer> {
  const cursor = await database.run({ sql, caps: CAPS, signal });
  const rows: Row[] = [];
  for await (const batch of cursor.batches) rows.push(...batch);
  return { columns: cursor.columns, rows, affected: cursor.affected };
}
