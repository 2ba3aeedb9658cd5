/**
 * The certificates and keys that a target's TLS settings name, read from their files.
 */
import { Fault } from "../base/fault.ts";
import { checkOrdinary, OddFile } from "../base/ordinary_file.ts";
import type { Tls } from "./driver.ts";

/** All authorities that browsers trust are a quarter of it. */
const MAX_BYTES = 1 << 20;

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
    checkOrdinary(path, { maxBytes: MAX_BYTES });
    return await Deno.readTextFile(path);
  } catch (cause) {
    const state = cause instanceof OddFile ? cause.message : "it does not exist or may not be read";
    throw new Fault(
      "bad_target",
      `Cannot read the TLS file ${JSON.stringify(path)}: ${state}. Check its path.`,
      {
        cause,
      },
    );
  }
}
