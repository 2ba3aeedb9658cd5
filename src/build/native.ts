/**
 * The native packages of a target, fetched from npm in the version and with the checksum of deno.lock, and the files that the
 * program carries from them.
 */
import { join } from "node:path";
import * as z from "zod/mini";
import { run } from "./run.ts";
import { lockedPackages } from "./lock.ts";

/** The systems that can be built for, by Deno's names. */
export const TARGETS: { readonly [triple: string]: Target } = {
  "x86_64-unknown-linux-gnu": { duckdb: "linux-x64", library: "libduckdb.so", keyring: "linux-x64-gnu" },
  "aarch64-unknown-linux-gnu": { duckdb: "linux-arm64", library: "libduckdb.so", keyring: "linux-arm64-gnu" },
  "x86_64-apple-darwin": { duckdb: "darwin-x64", library: "libduckdb.dylib", keyring: "darwin-x64" },
  "aarch64-apple-darwin": { duckdb: "darwin-arm64", library: "libduckdb.dylib", keyring: "darwin-arm64" },
  "x86_64-pc-windows-msvc": { duckdb: "win32-x64", library: "duckdb.dll", keyring: "win32-x64-msvc" },
};

export interface Target {
  /** The ends of the packages' names. */
  readonly duckdb: string;
  readonly keyring: string;
  /** What `duckdb.node` loads from beside it. */
  readonly library: string;
}

const packedSchema = z.array(z.object({ filename: z.string(), integrity: z.string() }));

/** The paths of the native files, by the names the program asks for. Throws where a checksum is not that of the lock. */
export async function nativeFiles(
  target: Target,
  folder: string,
): Promise<{ readonly [name: string]: string }> {
  const duckdb = await fetchPackage(`@duckdb/node-bindings-${target.duckdb}`, folder);
  const keyring = await fetchPackage(`@napi-rs/keyring-${target.keyring}`, folder);
  return {
    "duckdb.node": join(duckdb, "duckdb.node"),
    [target.library]: join(duckdb, target.library),
    "keyring.node": join(keyring, `keyring.${target.keyring}.node`),
  };
}

async function fetchPackage(name: string, folder: string): Promise<string> {
  const npm = await lockedPackages();
  const [entry] = Object.entries(npm).filter(([key]) => key.startsWith(`${name}@`));
  if (entry === undefined) throw new Error(`deno.lock names no package ${name}.`);
  const [spec, { integrity }] = entry;
  const into = join(folder, spec.replaceAll("/", "-"));
  await Deno.mkdir(into, { recursive: true });
  const packing = await run("npm", ["pack", "--json", "--pack-destination", into, spec]);
  const [packed] = packedSchema.parse(JSON.parse(packing));
  if (packed?.integrity !== integrity) throw new Error(`${spec} is not what deno.lock says it is.`);
  await run("tar", ["-xzf", join(into, packed.filename.replaceAll("/", "-").replace(/^@/, "")), "-C", into]);
  return join(into, "package");
}
