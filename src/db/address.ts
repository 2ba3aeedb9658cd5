/**
 * A database server's target from the fields of a form. Files are the business of the engines that have them.
 */
import { commaList } from "../base/comma_list.ts";
import { Fault } from "../base/fault.ts";
import type { Server } from "./driver.ts";
import { buildServer, parseDsn } from "./dsn.ts";
import { toTls } from "./tls.ts";
import type { Address, WorkOptions } from "./workbench.ts";

/** Throws Fault `bad_target`. */
export function serverOf(
  engine: Server["engine"],
  address: Address,
  { home, port, database }: Pick<WorkOptions, "home"> & { readonly port: number; readonly database?: string },
): Server {
  const places = { cwd: Deno.cwd(), home };
  const wanted = toTls(address.tls, places);
  if (wanted.mode === "verify-ca" && wanted.ca === undefined) {
    throw new Fault(
      "bad_target",
      "Cannot verify the server's certificate: the TLS mode verify-ca needs a certificate authority. Give its file.",
    );
  }
  const [, scheme, rest] = /^([a-z]+):(.*)$/s.exec(address.url ?? "") ?? [];
  if (scheme !== undefined && rest !== undefined) return parseDsn({ scheme, rest }, places);
  const tls = {
    ...wanted,
    ...address.tlsServerName ? { serverName: address.tlsServerName } : {},
    ...address.clearPassword ? { clearPassword: true as const } : {},
  };
  return buildServer(engine, {
    hosts: commaList(address.host ?? "").map((host) => placeOf(host, address.port ?? port)),
    user: address.user,
    password: address.password,
    database: address.database ?? database,
    tls,
    places,
  });
}

/** `host`, `host:port` or `[address]:port`. */
function placeOf(text: string, port: number): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, own] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return { host: bracketed ?? plain ?? text, port: own === undefined ? port : Number(own) };
}
