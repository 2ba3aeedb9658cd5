/**
 * The address of a database server, from its URL (`postgres://…`, `mysql://…`) to a Server target.
 * No error repeats any part of the URL: passwords with unescaped characters can end up in each of them.
 */
import { Fault } from "../base/fault.ts";
import type { Server } from "./driver.ts";
import type { Places } from "./paths.ts";
import { toTls } from "./tls.ts";

interface Dialing {
  readonly engine: Server["engine"];
  readonly label: string;
  readonly port: number;
}

const POSTGRES: Dialing = { engine: "postgres", label: "PostgreSQL", port: 5432 };
const MYSQL: Dialing = { engine: "mysql", label: "MySQL", port: 3306 };

const SCHEMES: { readonly [scheme: string]: Dialing } = {
  postgres: POSTGRES,
  postgresql: POSTGRES,
  mysql: MYSQL,
  mariadb: MYSQL,
};

/** Parameters with a meaning here, by their name without dashes, underscores and case. */
const KNOWN = [
  "host",
  "port",
  "user",
  "password",
  "dbname",
  "socket",
  "unixsocket",
  "sslmode",
  "sslrootcert",
  "sslca",
  "sslcert",
  "sslkey",
  "channelbinding",
] as const;
/** Parameters that change neither what is read nor how safely, so they may be left unused. */
const UNUSED = [
  "applicationname",
  "fallbackapplicationname",
  "connecttimeout",
  "clientencoding",
  "charset",
  "keepalives",
  "keepalivesidle",
  "keepalivesinterval",
  "keepalivescount",
  "gssencmode",
];

type Parameters = { [name in typeof KNOWN[number]]?: string };

/** Whether this scheme (lower case, without a driver's name after `+`) is a database server's. */
export function isServerScheme(scheme: string): boolean {
  return Object.hasOwn(SCHEMES, scheme);
}

/** `rest` is what follows the scheme's colon. Throws Fault `bad_target`. */
export function parseDsn(dsn: { scheme: string; rest: string }, places: Places): Server {
  const dialing = SCHEMES[dsn.scheme];
  if (dialing === undefined || !dsn.rest.startsWith("//")) {
    throw malformed(dialing ?? POSTGRES, "no // follows the scheme");
  }
  const { userinfo, hosts, path, query } = divide(dsn.rest.slice(2));
  const read = (text: string) => decode(text, dialing);
  const parameters = parseParameters(query, dialing);
  const [user, password] = userinfo === undefined ? [] : splitOnce(userinfo, ":").map(read);
  const database = parameters.dbname ?? read(path);
  return buildServer(dialing.engine, {
    hosts: parseHosts(hosts, { parameters, dialing }),
    user: parameters.user ?? user,
    password: parameters.password ?? password,
    database,
    tls: tlsOf(parameters, places),
  });
}

/** A server of which a saved connection keeps the parts. */
export function buildServer(
  engine: Server["engine"],
  parts: {
    readonly hosts: Server["hosts"];
    readonly user?: string | undefined;
    readonly password?: string | undefined;
    readonly database?: string | undefined;
    readonly tls: Server["tls"];
  },
): Server {
  return {
    engine,
    name: parts.database || "database",
    excludeSchemas: [],
    hosts: parts.hosts,
    ...parts.user ? { user: parts.user } : {},
    ...parts.password ? { password: parts.password } : {},
    ...parts.database ? { database: parts.database } : {},
    tls: parts.tls,
  };
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

function parseParameters(query: string, dialing: Dialing): Parameters {
  const parameters: Parameters = {};
  for (const pair of query.split("&").filter((part) => part !== "")) {
    const [key = "", value = ""] = splitOnce(pair, "=").map((text) => decode(text, dialing));
    const plain = key.toLowerCase().replaceAll(/[-_]/g, "");
    const known = KNOWN.find((name) => name === plain);
    if (known !== undefined) parameters[known] = value;
    else if (!UNUSED.includes(plain)) {
      throw malformed(
        dialing,
        `it has a parameter that is not supported (supported are ${KNOWN.join(", ")})`,
      );
    }
  }
  return parameters;
}

/** Hosts and ports of the address, or of the parameters, which go first. None: the engine's own default place. */
function parseHosts(
  text: string,
  { parameters, dialing }: { parameters: Parameters; dialing: Dialing },
): Server["hosts"] {
  const socket = parameters.socket ?? parameters.unixsocket;
  if (socket !== undefined) return [{ host: socket, port: dialing.port }];
  const ports = parameters.port?.split(",") ?? [];
  const written = parameters.host?.split(",").map((host) => ({ host, port: undefined })) ??
    text.split(",").map((place) => splitPlace(place, dialing));
  return written.flatMap(({ host, port }, index) => {
    if (host === "" && written.length === 1 && port === undefined && ports.length === 0) return [];
    if (/[\s\0@]/.test(host)) throw malformed(dialing, "a host name in it is none");
    const digits = port ?? ports[index] ?? ports[0];
    return [{ host: host || "localhost", port: digits ? toPort(digits, dialing) : dialing.port }];
  });
}

function splitPlace(place: string, dialing: Dialing): { host: string; port: string | undefined } {
  const match = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/s.exec(place);
  if (match === null) throw malformed(dialing, "a host name in it is none");
  return { host: decode(match[1] ?? match[2] ?? "", dialing), port: match[3] };
}

function toPort(digits: string, dialing: Dialing): number {
  const port = /^\d{1,5}$/.test(digits) ? Number(digits) : 0;
  if (port < 1 || port > 65535) throw malformed(dialing, "a port in it is no number from 1 to 65535");
  return port;
}

/** Escapes that are none stay as they are: a password with a bare `%` means that character. */
function decode(text: string, dialing: Dialing): string {
  try {
    const decoded = text.replace(/(?:%[\da-f]{2})+/gi, decodeURIComponent);
    if (!decoded.includes("\0")) return decoded;
  } catch {
    // falls through to the refusal
  }
  throw malformed(dialing, "its percent escapes are no UTF-8 text");
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function malformed(dialing: Dialing, state: string): Fault {
  return new Fault(
    "bad_target",
    `Cannot read the ${dialing.label} URL: ${state}. Write ${dialing.engine}://user:password@host:port/database, ` +
      "with special characters of the password percent-encoded.",
  );
}
