/**
 * TLS settings as PostgreSQL and MySQL spell them, as one Tls. It reads no certificate.
 */
import { Fault } from "../base/fault.ts";
import type { Tls } from "./driver.ts";
import { absolutePath, type Places } from "./paths.ts";

/** The words of `sslmode` (libpq) and of `ssl_mode` (MySQL), lower case, with dashes. `allow` becomes the safer `prefer`. */
const MODES: { readonly [word: string]: Tls["mode"] } = {
  disable: "disable",
  disabled: "disable",
  allow: "prefer",
  prefer: "prefer",
  preferred: "prefer",
  require: "require",
  required: "require",
  "verify-ca": "verify-ca",
  "verify-full": "verify-full",
  "verify-identity": "verify-full",
};

/** Settings as they were written; paths may be relative. */
export interface TlsSettings {
  readonly mode?: string | undefined;
  /** A PEM file, or `system` for the authorities of the system (libpq). */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * Throws Fault `bad_target`. Who names an authority wants it used: then no mode, and `require`, mean verify-ca
 * (as libpq and the mysql client do); `system` always means verify-full.
 */
export function toTls(settings: TlsSettings, places: Places): Tls {
  const word = settings.mode?.toLowerCase().replaceAll("_", "-");
  if (word !== undefined && !Object.hasOwn(MODES, word)) {
    throw new Fault(
      "bad_target",
      "Cannot use the TLS mode: it is unknown. Use one of disable, prefer, require, verify-ca, verify-full (MySQL: " +
        "DISABLED, PREFERRED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY).",
    );
  }
  const { ca, cert, key } = settings;
  if ((cert === undefined) !== (key === undefined)) {
    throw new Fault(
      "bad_target",
      `Cannot use the TLS client certificate: its ${
        cert === undefined ? "certificate" : "key"
      } is missing. ` +
        "Give the certificate and its key.",
    );
  }
  const named = word === undefined ? undefined : MODES[word];
  const needsChain = ca !== undefined && (named ?? "require") === "require";
  return {
    mode: ca === "system" ? "verify-full" : needsChain ? "verify-ca" : named ?? "prefer",
    ...ca === undefined || ca === "system" ? {} : { ca: absolutePath(ca, places) },
    ...cert === undefined || key === undefined
      ? {}
      : { cert: absolutePath(cert, places), key: absolutePath(key, places) },
  };
}
