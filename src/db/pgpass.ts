/**
 * The password file of PostgreSQL's own tools: lines of `host:port:database:user:password`, in which `*` stands for any
 * and a backslash for the next character. Source: PostgreSQL manual, 32.16.
 */
import type { Server } from "./driver.ts";
import type { Places } from "./paths.ts";

/** The password of the first line that fits a host of the server; undefined where there is no such file or line. */
export function findPassword(server: Server, places: Places): string | undefined {
  const lines = readLines(places).map(fieldsOf);
  const { user = "", database = user } = server;
  const hosts = server.hosts.length > 0 ? server.hosts : [{ host: "localhost", port: 5432 }];
  for (const { host, port } of hosts) {
    // sockets are known as localhost, or by their folder
    const names = host.startsWith("/") ? [host, "localhost"] : [host];
    const found = lines.find(([ofHost = "", ofPort, ofDatabase, ofUser]) =>
      names.some((name) => fits(ofHost, name)) && fits(ofPort, String(port)) && fits(ofDatabase, database) &&
      fits(ofUser, user)
    );
    if (found) return found[4];
  }
  return undefined;
}

function fits(pattern: string | undefined, value: string): boolean {
  return pattern === "*" || pattern === value;
}

/** As psql does, a file that others may read is not used. */
function readLines({ home, environment = {} }: Places): string[] {
  const path = environment.PGPASSFILE ??
    (Deno.build.os === "windows" && environment.APPDATA
      ? `${environment.APPDATA}\\postgresql\\pgpass.conf`
      : `${home}/.pgpass`);
  try {
    const { mode, isFile } = Deno.statSync(path);
    if (!isFile || ((mode ?? 0) & 0o077) !== 0) return [];
    return Deno.readTextFileSync(path).split(/\r?\n/).filter((line) => !line.startsWith("#"));
  } catch {
    return [];
  }
}

function fieldsOf(line: string): string[] {
  const fields = line.matchAll(/((?:\\.|[^:\\])*)(?::|$)/g);
  return Array.from(fields, ([, field = ""]) => field.replace(/\\(.)/g, "$1")).slice(0, 5);
}
