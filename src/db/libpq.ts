/**
 * What PostgreSQL's own tools take from the environment (PGHOST …) and from files in the home folder where an address
 * says nothing, for people who expect the same here. Source: PostgreSQL manual, 32.15 and 32.16.
 */
import type { Server } from "./driver.ts";
import type { Parameters } from "./dsn_parameters.ts";
import { isFile } from "./file_kind.ts";
import type { Places } from "./paths.ts";
import { findPassword } from "./pgpass.ts";

const PORT = 5432;

/** The port of hosts that have none, and the TLS settings, as an address would have them in its parameters. */
export function libpqParameters(
  { environment = {} }: Places,
  { hasHost }: { hasHost: boolean },
): Parameters {
  const { PGPORT, PGSSLMODE, PGSSLROOTCERT, PGSSLCERT, PGSSLKEY, PGCHANNELBINDING } = environment;
  return {
    ...PGPORT && hasHost ? { port: PGPORT } : {},
    ...PGSSLMODE ? { sslmode: PGSSLMODE } : {},
    ...PGSSLROOTCERT ? { sslrootcert: PGSSLROOTCERT } : {},
    ...PGSSLCERT && PGSSLKEY ? { sslcert: PGSSLCERT, sslkey: PGSSLKEY } : {},
    ...PGCHANNELBINDING ? { channelbinding: PGCHANNELBINDING } : {},
  };
}

/** The server with what its address left out: hosts, user, database, password, and the files of ~/.postgresql. */
export function completeServer(server: Server, places: Places): Server {
  const { environment = {} } = places;
  const user = server.user ?? environment.PGUSER ?? environment.USER ?? environment.LOGNAME;
  const database = server.database ?? environment.PGDATABASE;
  const named = {
    ...server,
    ...user ? { user } : {},
    ...database ? { database, name: server.database ? server.name : database } : {},
    hosts: server.hosts.length > 0 ? server.hosts : environmentHosts(environment),
    tls: withHomeFiles(server.tls, places),
  };
  const password = server.password ?? environment.PGPASSWORD ?? findPassword(named, places);
  return password ? { ...named, password } : named;
}

function environmentHosts(
  { PGHOST, PGPORT }: { readonly [name: string]: string | undefined },
): Server["hosts"] {
  if (!PGHOST && !PGPORT) return [];
  const ports = PGPORT?.split(",") ?? [];
  const toPort = (index: number) => Number(ports[index] ?? ports[0]) || PORT;
  return (PGHOST || "localhost").split(",").map((host, index) => ({ host, port: toPort(index) }));
}

/** Verifying needs an authority; a client certificate may be there without being named. */
function withHomeFiles(tls: Server["tls"], { home }: Places): Server["tls"] {
  if (home === undefined || tls.mode === "disable") return tls;
  const [ca, cert, key] = ["root.crt", "postgresql.crt", "postgresql.key"].map((name) =>
    `${home}/.postgresql/${name}`
  );
  const wantsCa = tls.mode.startsWith("verify") && tls.ca === undefined;
  return {
    ...tls,
    ...wantsCa && ca && isFile(ca) ? { ca } : {},
    ...tls.cert === undefined && cert && key && isFile(cert) && isFile(key) ? { cert, key } : {},
  };
}
