/**
 * A real MariaDB server for tests: passwords, TLS, a socket, the shop loaded. It is the system's own package, which
 * install_mariadb.sh installs where it is missing, started with a folder of its own.
 */
import { join } from "node:path";
import mysql, { type Connection } from "mysql2";
import { generateShop } from "../../fixtures/shop/generate.ts";
import { loadMysql } from "../../fixtures/shop/load_mysql.ts";
import { exists } from "./cached_folder.ts";
import { freePort, giveAway, keepServer, sharedFolder, unprivileged, until } from "./server_process.ts";
import { repository } from "./sources.ts";

/** Where a server listens; `localhost` is the one name in its certificate. */
export interface MariadbServer {
  /** The folder of its data and its log. */
  readonly folder: string;
  /** The socket's file. */
  readonly socket: string;
  readonly port: number;
  /** Options of the server besides those of every one. */
  readonly options: readonly string[];
}

export interface Login {
  readonly user: string;
  readonly password: string;
}

/** May do everything, reading and writing files on the server too. */
export const ADMIN: Login = { user: "admin", password: "admin p@ss:w/rd %41 ü" };
/** May read the shop. */
export const READER: Login = { user: "reader", password: "read:er/p@ss %2F'\\" };
/** Comes in only over TLS. */
export const TLS_ONLY: Login = { user: "tls_only", password: "tls" };

export const TLS_FILES = new URL("fixtures/tls/", repository).pathname;

/** Where Debian keeps them; not everybody has these folders on the path. */
const SERVER = "/usr/sbin/mariadbd";
const INSTALL_DATA = "/usr/bin/mariadb-install-db";

/**
 * The server of this test run, started by the first file that asks. Ask at the top of a file, outside its tests: the
 * server outlives them. Whoever changes anything in it does so in a database of his own.
 */
export async function sharedMariadb(): Promise<MariadbServer> {
  const { folder, isNew } = await sharedFolder("mariadb");
  const ready = join(folder, "ready");
  if (isNew) {
    const server = await create(folder, []);
    await fill(server);
    await Deno.writeTextFile(`${ready}.part`, String(server.port));
    await Deno.rename(`${ready}.part`, ready);
    return server;
  }
  await until(async () => await exists(ready), `the server in ${folder} is not ready`);
  return at(folder, Number(await Deno.readTextFile(ready)), { options: [] });
}

/** A server of the caller's own, its shop empty, for tests that stop it or need other options; the caller removes it. */
export async function ownMariadb(options: readonly string[] = []): Promise<MariadbServer> {
  return await create(await Deno.makeTempDir({ prefix: "saber-mariadb-" }), options);
}

/** Starts a server that `killMariadb` has ended, on the same port with the same data. */
export async function startMariadb(server: MariadbServer): Promise<void> {
  await keepServer(server.folder, [SERVER, ...allOptions(server)]);
  await until(() => answers(server), `the server in ${server.folder} does not answer`);
}

/** Ends a server at once, as a crash would. */
export async function killMariadb(server: MariadbServer): Promise<void> {
  const pid = Number(await Deno.readTextFile(join(server.folder, "pid")));
  Deno.kill(pid, "SIGKILL");
  await until(async () => !await isRunning(pid), `the server in ${server.folder} does not end`);
}

export async function removeMariadb(server: MariadbServer): Promise<void> {
  if (await answers(server)) await killMariadb(server);
  await Deno.remove(server.folder, { recursive: true });
}

/** A client for setting up and checking, past everything under test. */
export class AdminClient {
  readonly #connection: Connection;

  constructor(server: MariadbServer, database = "shop") {
    this.#connection = mysql.createConnection({
      socketPath: server.socket,
      ...ADMIN,
      database,
      rowsAsArray: true,
    });
  }

  /** Runs one statement; its rows, empty for one without. */
  rows(sql: string): Promise<unknown[][]> {
    return new Promise((resolve, reject) => {
      this.#connection.query(sql, (error: Error | null, rows: unknown) => {
        if (error !== null) reject(error);
        else resolve(Array.isArray(rows) ? rows : []);
      });
    });
  }

  async run(...statements: string[]): Promise<void> {
    for (const sql of statements) await this.rows(sql);
  }

  end(): void {
    this.#connection.destroy();
  }
}

/** Statements that the server runs now, besides the asking one. */
export async function runningStatements(server: MariadbServer): Promise<string[]> {
  const admin = new AdminClient(server);
  try {
    const rows = await admin.rows(
      "SELECT info FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND command IN ('Query', 'Execute')",
    );
    return rows.map(([info]) => String(info));
  } finally {
    admin.end();
  }
}

function at(folder: string, port: number, { options }: { options: readonly string[] }): MariadbServer {
  return { folder, port, options, socket: join(folder, "socket") };
}

async function create(folder: string, options: readonly string[]): Promise<MariadbServer> {
  const server = at(folder, freePort(), { options });
  for (const name of ["ca.crt", "server.crt", "server.key"]) {
    await Deno.copyFile(join(TLS_FILES, name), join(folder, name));
  }
  await Deno.writeTextFile(join(folder, "init.sql"), USERS);
  await giveAway(folder);
  if (!await exists(SERVER)) {
    await command(new URL("tests/support/install_mariadb.sh", repository).pathname, []);
  }
  const args = [
    "--no-defaults",
    `--datadir=${folder}/data`,
    "--skip-test-db",
    "--auth-root-authentication-method=normal",
  ];
  // a server that starts elsewhere empties the temp folder that they would share
  await command(INSTALL_DATA, args, { ...unprivileged(), env: { TMPDIR: folder } });
  await startMariadb(server);
  return server;
}

async function command(
  path: string,
  args: readonly string[],
  options: Deno.CommandOptions = {},
): Promise<void> {
  const { success, stderr } = await new Deno.Command(path, { args: [...args], ...options, stdin: "null" })
    .output();
  if (!success) throw new Error(`Test setup: ${path} failed: ${new TextDecoder().decode(stderr)}`);
}

function text(value: string): string {
  return `'${value.replace(/['\\]/g, "\\$&")}'`;
}

/** The server runs each line at each start. */
const USERS = [
  ...[ADMIN, READER, TLS_ONLY].map(({ user, password }) =>
    `CREATE USER IF NOT EXISTS ${user}@'%' IDENTIFIED BY ${text(password)};`
  ),
  `GRANT ALL ON *.* TO ${ADMIN.user}@'%' WITH GRANT OPTION;`,
  `ALTER USER ${TLS_ONLY.user}@'%' REQUIRE SSL;`,
  "CREATE DATABASE IF NOT EXISTS shop CHARACTER SET utf8mb4;",
  `GRANT SELECT ON shop.* TO ${READER.user}@'%', ${TLS_ONLY.user}@'%';`,
].join("\n");

/** A time zone that is not UTC and defaults that lose speed, not data, in a crash. */
function allOptions({ folder, socket, port, options }: MariadbServer): string[] {
  return [
    "--no-defaults",
    // servers that share a folder for temporary tables remove those of each other
    `--tmpdir=${folder}`,
    `--datadir=${folder}/data`,
    `--socket=${socket}`,
    `--pid-file=${folder}/pid`,
    `--init-file=${folder}/init.sql`,
    `--port=${port}`,
    "--bind-address=127.0.0.1",
    `--ssl-ca=${folder}/ca.crt`,
    `--ssl-cert=${folder}/server.crt`,
    `--ssl-key=${folder}/server.key`,
    "--skip-name-resolve",
    "--default-time-zone=+02:00",
    "--character-set-server=latin1",
    "--innodb-flush-log-at-trx-commit=0",
    "--innodb-buffer-pool-size=256M",
    "--max-connections=50",
    ...options,
  ];
}

async function fill(server: MariadbServer): Promise<void> {
  const connection = mysql.createConnection({ socketPath: server.socket, ...ADMIN, database: "shop" });
  try {
    await loadMysql(connection, generateShop());
  } finally {
    connection.destroy();
  }
}

async function answers(server: MariadbServer): Promise<boolean> {
  const client = new AdminClient(server, "mysql");
  try {
    await client.rows("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    client.end();
  }
}

async function isRunning(pid: number): Promise<boolean> {
  return (await new Deno.Command("kill", { args: ["-0", String(pid)], stderr: "null" }).output()).success;
}
