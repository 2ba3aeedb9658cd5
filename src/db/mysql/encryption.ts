/**
 * What the library needs to encrypt a connection as a target asks. It reads certificates and opens nothing.
 */
import net from "node:net";
import type { SslOptions } from "mysql2";
import { Fault } from "../../base/fault.ts";
import { readCertificates } from "../certificates.ts";
import { type Endpoint, isLocal } from "./socket.ts";

/**
 * What the library needs to encrypt; undefined for a plain connection. `require` verifies the chain when it is given an
 * authority; a Unix socket is never encrypted. Throws Fault `bad_target`.
 */
export async function encryption(endpoint: Endpoint): Promise<SslOptions | undefined> {
  const { mode, ca } = endpoint.tls;
  if (mode === "disable" || isLocal(endpoint)) return undefined;
  if (mode === "verify-full" && net.isIP(endpoint.tls.serverName ?? endpoint.host) !== 0) {
    // the library would compare the certificate with the name "localhost"
    throw new Fault(
      "bad_target",
      "Cannot verify the server's identity: the host is an address, and the certificate is compared with a name. " +
        "Use the name in the server's certificate, or the TLS mode verify-ca.",
    );
  }
  return {
    rejectUnauthorized: mode.startsWith("verify") || (mode === "require" && ca !== undefined),
    verifyIdentity: mode === "verify-full",
    ...await readCertificates(endpoint.tls),
  };
}
