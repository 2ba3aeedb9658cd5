/**
 * A release as package managers see it: its version, and the archive of each system with its address and checksum.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";

/** The systems of a release by the names of its archives, with npm's words for them. */
export const SYSTEMS: { readonly [name: string]: System } = {
  "linux-x64": { os: "linux", cpu: "x64", libc: "glibc", program: "saber" },
  "linux-arm64": { os: "linux", cpu: "arm64", libc: "glibc", program: "saber" },
  "macos-x64": { os: "darwin", cpu: "x64", program: "saber" },
  "macos-arm64": { os: "darwin", cpu: "arm64", program: "saber" },
  "windows-x64": { os: "win32", cpu: "x64", program: "saber.exe" },
};

export interface System {
  readonly os: string;
  readonly cpu: string;
  readonly libc?: string;
  /** The executable's name in the archive. */
  readonly program: string;
}

export interface Release {
  /** Without a `v`. */
  readonly version: string;
  /** `owner/name` on GitHub. */
  readonly repository: string;
  readonly archives: ReadonlyMap<string, Archive>;
}

export interface Archive {
  readonly path: string;
  readonly url: string;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Throws when the archive of a system is not in the folder. */
export async function readRelease(
  folder: string,
  { version, repository }: Pick<Release, "version" | "repository">,
): Promise<Release> {
  const archives = new Map<string, Archive>();
  for (const system of Object.keys(SYSTEMS)) {
    const name = `saber-v${version}-${system}.tar.gz`;
    const path = join(folder, name);
    const sha256 = createHash("sha256").update(await Deno.readFile(path)).digest("hex");
    const url = `https://github.com/${repository}/releases/download/v${version}/${name}`;
    archives.set(system, { path, url, sha256 });
  }
  return { version, repository, archives };
}

/** Fills `{{version}}`, `{{repository}}`, `{{package}}`, `{{url SYSTEM}}` and `{{sha256 SYSTEM}}`. Throws for others. */
export function fill(template: string, { release, name }: { release: Release; name: string }): string {
  return template.replaceAll(/\{\{(\w+)(?: ([\w-]+))?\}\}/g, (place, word: string, system = "") => {
    const archive = release.archives.get(system);
    const value = new Map([
      ["version", release.version],
      ["repository", release.repository],
      ["package", name],
      ["url", archive?.url],
      ["sha256", archive?.sha256],
    ]).get(word);
    if (value === undefined) throw new Error(`Nothing is known for ${place}.`);
    return value;
  });
}
