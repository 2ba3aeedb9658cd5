/**
 * The bill of materials: every npm package of deno.lock with its checksum, as CycloneDX 1.6 JSON
 * (https://cyclonedx.org/docs/1.6/json/).
 */
import { lockedPackages } from "./lock.ts";

/** `name@version`, sometimes followed by the versions of its peers. */
const KEY = /^(@?[^@]+)@([^_]+)/;

export async function writeBill(path: string): Promise<void> {
  const npm = await lockedPackages();
  const components = Object.entries(npm).map(([key, { integrity }]) => component(key, integrity));
  const bill = { bomFormat: "CycloneDX", specVersion: "1.6", version: 1, components };
  await Deno.writeTextFile(path, `${JSON.stringify(bill, null, 1)}\n`);
}

function component(key: string, integrity: string) {
  const [, name = key, version = ""] = KEY.exec(key) ?? [];
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const content = Uint8Array.fromBase64(integrity.replace(/^sha512-/, "")).toHex();
  return {
    type: "library",
    "bom-ref": `${purl}#${key}`,
    name,
    version,
    purl,
    hashes: [{ alg: "SHA-512", content }],
  };
}
