/**
 * The address of a database server, from its URL (`postgres://…`, `mysql://…`) to a Server target.
 * No error repeats any part of the URL: passwords with unescaped characters can end up in each of them.
 */
import type { Server } from "./driver.ts";
import { parseHosts } from "./dsn_hosts.ts";
import { type Parameters, parseParameters } from "./dsn_parameters.ts";
import { decode, type Dialing, malformed, splitOnce } from "./dsn_text.ts";
import { completeServer, libpqParameters } from "./libpq.ts";
import type { Places } from "./paths.ts";
import { toTls } from "./tls.ts";

const POSTGRES: Dialing = { engine: "postgres", label: "PostgreSQL", port: 5432 };
const MYSQL: Dialing = { engine: "mysql", label: "MySQL", port: 3306 };

/** What an engine's own tools take from elsewhere where the address says nothing. */
const USUAL: { readonly [engine in Server["engine"]]: Usual } = {
  postgres: { parameters: libpqParameters, complete: completeServer },
  mysql: { parameters: () => ({}), complete: (server) => server },
};

interface Usual {
  parameters(places: Places, address: { hasHost: boolean }): Parameters;
  complete(server: Server, places: Places): Server;
}

const SCHEMES: ReadonlyMap<string, Dialing> = new Map([
  ["postgres", POSTGRES],
  ["postgresql", POSTGRES],
  ["mysql", MYSQL],
  ["mariadb", MYSQL],
]);

/** Whether this scheme (lower case, without a driver's name after `+`) is a database server's. */
export function isServerScheme(scheme: string): boolean {
  return SCHEMES.has(scheme);
}

/** `rest` is what follows the scheme's colon. Throws Fault `bad_target`. */
export function parseDsn(dsn: { scheme: string; rest: string }, places: Places): Server {
  const dialing = SCHEMES.get(dsn.scheme);
  if (dialing === undefined || !dsn.rest.startsWith("//")) {
    throw malformed(dialing ?? POSTGRES, "no // follows the scheme");
  }
  const { userinfo, hosts, path, query } = divide(dsn.rest.slice(2));
  const read = (text: string) => decode(text, dialing);
  const usual = USUAL[dialing.engine].parameters(places, { hasHost: hosts !== "" });
  const parameters = { ...usual, ...parseParameters(query, dialing) };
  const [user, password] = userinfo === undefined ? [] : splitOnce(userinfo, ":").map(read);
  const database = parameters.dbname ?? read(path);
  return buildServer(dialing.engine, {
    hosts: parseHosts(hosts, { parameters, dialing }),
    user: parameters.user ?? user,
    password: parameters.password ?? password,
    database,
    tls: tlsOf(parameters, places),
    places,
  });
}

/** A server of which a saved connection keeps the parts. */
export function buildServer(
  engine: Server["engine"],
  { places, ...parts }: {
    readonly places: Places;
    readonly hosts: Server["hosts"];
    readonly user?: string | undefined;
    readonly password?: string | undefined;
    readonly database?: string | undefined;
    readonly tls: Server["tls"];
  },
): Server {
  const server: Server = {
    engine,
    name: parts.database || "database",
    excludeSchemas: [],
    hosts: parts.hosts,
    ...parts.user ? { user: parts.user } : {},
    ...parts.password ? { password: parts.password } : {},
    ...parts.database ? { database: parts.database } : {},
    tls: parts.tls,
  };
  return USUAL[engine].complete(server, places);
}

/** Who asks for channel binding wants proof of the server's identity; a verified certificate is the proof we can have. */
function tlsOf(parameters: Parameters, places: Places): Server["tls"] {
  const tls = toTls({
    mode: parameters.sslmode,
    ca: parameters.sslrootcert ?? parameters.sslca,
    cert: parameters.sslcert,
    key: parameters.sslkey,
  }, places);
  return parameters.channelbinding === "require" ? { ...tls, mode: "verify-full" } : tls;
}

/**
 * The parts of `user:password@hosts/path?query`. A password may hold `/ ? @` unescaped: where the text before the first
 * `/` or `?` has no `@` and its port is none, the last `@` of all ends the password.
 */
function divide(text: string): { userinfo?: string; hosts: string; path: string; query: string } {
  const end = text.search(/[/?]/);
  const authority = end < 0 ? text : text.slice(0, end);
  const isStrict = authority.includes("@") || !/:(?!\d*$)[^\]]*$/.test(authority);
  const at = (isStrict ? authority : text).lastIndexOf("@");
  const [, hosts = "", path = "", query = ""] = /^([^/?]*)\/*([^?]*)\??(.*)$/s.exec(text.slice(at + 1)) ?? [];
  return at < 0 ? { hosts, path, query } : { userinfo: text.slice(0, at), hosts, path, query };
}
