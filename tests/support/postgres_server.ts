/**
 * Real PostgreSQL servers for tests: password and certificate authentication, TLS, a socket, the shop loaded.
 * One server of each version serves a whole test run; a test that stops or breaks its server starts one of its own.
 */
import { join } from "node:path";
import postgres from "postgres";
import { loadPostgres } from "../../fixtures/shop/load_postgres.ts";
import { generateShop } from "../../fixtures/shop/generate.ts";
import { exists } from "./cached_folder.ts";
import { serverFiles } from "./npm_servers.ts";
import { freePort, giveAway, keepServer, sharedFolder, unprivileged, until } from "./server_process.ts";
import { repository } from "./sources.ts";

export type PostgresVersion = 12 | 18;

/** Where a server listens; `localhost` is the one name in its certificate. */
export interface PostgresServer {
  readonly version: PostgresVersion;
  /** The folder of its data, its socket and its log. */
  readonly folder: string;
  readonly port: number;
}

export interface Login {
  readonly user: string;
  readonly password: string;
}

/** May do everything. */
export const ADMIN: Login = { user: "postgres", password: "admin p@ss:w/rd %41 ü" };
/** May read the shop. */
export const READER: Login = { user: "reader", password: "read:er/p@ss %2F'\\" };
/** Comes in with the client certificate of fixtures/tls alone, and only over TLS. */
export const CERTIFIED = "certified";

export const TLS_FILES = new URL("fixtures/tls/", repository).pathname;

/**
 * The server of this test run, started by the first file that asks. Ask at the top of a file, outside its tests: the
 * server outlives them. Whoever changes anything in it does so in a database or schema of his own.
 */
export async function sharedPostgres(version: PostgresVersion): Promise<PostgresServer> {
  const { folder, isNew } = await sharedFolder(`postgres-${version}`);
  const ready = join(folder, "ready");
  if (isNew) {
    const server = await create(folder, version);
    await Deno.writeTextFile(`${ready}.part`, String(server.port));
    await Deno.rename(`${ready}.part`, ready);
    return server;
  }
  await until(() => exists(ready), `the server in ${folder} is not ready`);
  return { version, folder, port: Number(await Deno.readTextFile(ready)) };
}

/** A server of the caller's own; the caller removes it. */
export async function ownPostgres(version: PostgresVersion): Promise<PostgresServer> {
  return await create(await Deno.makeTempDir({ prefix: `saber-postgres-${version}-` }), version);
}

/** Starts a server that `stopPostgres` has ended, on the same port with the same data. */
export async function startPostgres(server: PostgresServer): Promise<void> {
  const postgres = join(await serverFiles(`postgres-${server.version}`), "bin", "postgres");
  await keepServer(server.folder, [postgres, "-D", join(server.folder, "data")]);
  await until(() => answers(server), `the server in ${server.folder} does not answer`);
}

/** Ends a server at once, as a crash would (SIGQUIT), or after its clients have been sent away (SIGINT). */
export async function stopPostgres(server: PostgresServer, signal: "SIGQUIT" | "SIGINT"): Promise<void> {
  const pidFile = join(server.folder, "data", "postmaster.pid");
  const pid = Number((await Deno.readTextFile(pidFile)).split("\n")[0]);
  Deno.kill(pid, signal);
  await until(async () => !await exists(pidFile), `the server in ${server.folder} does not end`);
}

export async function removePostgres(server: PostgresServer): Promise<void> {
  if (await exists(join(server.folder, "data", "postmaster.pid"))) await stopPostgres(server, "SIGQUIT");
  await Deno.remove(server.folder, { recursive: true });
}

/** A client for setting up and checking, past everything under test. The caller ends it. */
export function adminClient(server: PostgresServer, database = "shop"): postgres.Sql {
  return postgres({
    host: "127.0.0.1",
    port: server.port,
    ...ADMIN,
    database,
    max: 1,
    fetch_types: false,
    onnotice: () => {},
  });
}

async function create(folder: string, version: PostgresVersion): Promise<PostgresServer> {
  const server = { version, folder, port: freePort() };
  const files = await serverFiles(`postgres-${version}`);
  await Deno.writeTextFile(join(folder, "password"), ADMIN.password);
  for (const name of ["ca.crt", "server.crt", "server.key"]) {
    await Deno.copyFile(join(TLS_FILES, name), join(folder, name));
  }
  await Deno.chmod(join(folder, "server.key"), 0o600);
  await giveAway(folder);
  const initdb = new Deno.Command(join(files, "bin", "initdb"), {
    args: ["-D", join(folder, "data"), "-U", ADMIN.user, "--pwfile", join(folder, "password")]
      .concat("-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync"),
    ...unprivileged(),
  });
  const { success, stderr } = await initdb.output();
  if (!success) throw new Error(`initdb failed: ${new TextDecoder().decode(stderr)}`);
  await Deno.writeTextFile(join(folder, "data", "postgresql.conf"), settings(server), { append: true });
  await Deno.writeTextFile(join(folder, "data", "pg_hba.conf"), HBA);
  await startPostgres(server);
  await fill(server);
  return server;
}

const HBA = `
hostssl all ${CERTIFIED} all cert
host all ${CERTIFIED} all reject
local all all scram-sha-256
host all all all scram-sha-256
`;

function settings({ folder, port }: { folder: string; port: number }): string {
  return `
port = ${port}
listen_addresses = 'localhost'
unix_socket_directories = '${folder}'
ssl = on
ssl_ca_file = '${folder}/ca.crt'
ssl_cert_file = '${folder}/server.crt'
ssl_key_file = '${folder}/server.key'
fsync = off
wal_level = logical
max_connections = 50
log_connections = on
timezone = 'Europe/Berlin'
`;
}

async function fill(server: PostgresServer): Promise<void> {
  const root = adminClient(server, "postgres");
  await root.unsafe(`CREATE ROLE ${READER.user} LOGIN PASSWORD '${READER.password.replaceAll("'", "''")}'`);
  await root.unsafe(`CREATE ROLE ${CERTIFIED} LOGIN`);
  await root.unsafe("CREATE DATABASE shop");
  await root.end();
  const shop = adminClient(server);
  await loadPostgres(shop, generateShop());
  await shop.unsafe(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${READER.user}, ${CERTIFIED}`);
  await shop.unsafe("ANALYZE");
  await shop.end();
}

async function answers(server: PostgresServer): Promise<boolean> {
  const client = adminClient(server, "postgres");
  try {
    await client`SELECT 1`;
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
