/**
 * The certificates and keys that a target's TLS settings name, read from their files.
 */
import { Fault } from "../base/fault.ts";
import type { Tls } from "./driver.ts";

/** Texts in PEM form, under the names that node:tls gives them. */
export interface Certificates {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Throws Fault `bad_target` for a file that cannot be read. */
export async function readCertificates({ ca, cert, key }: Tls): Promise<Certificates> {
  return {
    ...ca === undefined ? {} : { ca: await readPem(ca) },
    ...cert === undefined ? {} : { cert: await readPem(cert) },
    ...key === undefined ? {} : { key: await readPem(key) },
  };
}

async function readPem(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (cause) {
    const state = "it does not exist or may not be read. Check its path.";
    throw new Fault("bad_target", `Cannot read the TLS file ${JSON.stringify(path)}: ${state}`, { cause });
  }
}
