/**
 * A real pgbouncer in front of a test server, which hands a server connection on after each transaction. It is the
 * system's own package, which install_pgbouncer.sh installs where it is missing.
 */
import { join } from "node:path";
import { exists } from "./cached_folder.ts";
import { runInstallScript } from "./install_script.ts";
import { ADMIN, type PostgresServer } from "./postgres_server.ts";
import { freePort, giveAway, keepServer, until } from "./server_process.ts";

const PGBOUNCER = "/usr/sbin/pgbouncer";

export interface Pooler {
  readonly folder: string;
  readonly port: number;
}

/** Takes every user for the administrator, with or without a password. The caller removes it. */
export async function startPgbouncer(
  server: PostgresServer,
  { connections }: { connections: number },
): Promise<Pooler> {
  if (!await exists(PGBOUNCER)) await runInstallScript("install_pgbouncer.sh");
  const folder = await Deno.makeTempDir({ prefix: "saber-pgbouncer-" });
  const pooler = { folder, port: freePort() };
  await Deno.writeTextFile(join(folder, "users"), `"${ADMIN.user}" "${ADMIN.password}"\n`);
  await Deno.writeTextFile(
    join(folder, "pgbouncer.ini"),
    `[databases]
* = host=127.0.0.1 port=${server.port} user=${ADMIN.user} password='${ADMIN.password}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${pooler.port}
unix_socket_dir =
auth_type = any
auth_file = ${folder}/users
pool_mode = transaction
default_pool_size = ${connections}
`,
  );
  await giveAway(folder);
  await keepServer(folder, [PGBOUNCER, join(folder, "pgbouncer.ini")]);
  await until(() => listens(pooler.port), `pgbouncer in ${folder} does not listen`);
  return pooler;
}

/** Its keeper ends it when its folder is gone. */
export async function stopPgbouncer({ folder, port }: Pooler): Promise<void> {
  await Deno.remove(folder, { recursive: true });
  await until(async () => !await listens(port), `pgbouncer of ${folder} does not end`);
}

async function listens(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return false;
    throw error;
  }
}
