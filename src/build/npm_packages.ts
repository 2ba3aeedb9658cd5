/**
 * The npm packages of a release, as folders to be published: one for each system with its executable, and one that starts the
 * executable of whichever system it is on.
 */
import { join } from "node:path";
import { fill, type Release, SYSTEMS } from "./release.ts";
import { run } from "./run.ts";

export interface NpmNames {
  /** Of the package that people name; the others are called after it. */
  readonly name: string;
  /** How the MCP registry knows the program. */
  readonly mcpName: string;
}

/** Makes `FOLDER/saber` and `FOLDER/saber-OS-CPU`. */
export async function writeNpmPackages(
  folder: string,
  { release, names }: { readonly release: Release; readonly names: NpmNames },
): Promise<void> {
  const { version, repository } = release;
  const common = {
    version,
    description: "SQL agent and its databases behind a pipe",
    license: "MIT",
    repository: { type: "git", url: `git+https://github.com/${repository}.git` },
  };
  const optionalDependencies: Record<string, string> = {};
  for (const [system, { program, ...fields }] of Object.entries(SYSTEMS)) {
    const suffix = `${fields.os}-${fields.cpu}`;
    const into = await makeFolder(folder, `saber-${suffix}`);
    await run("tar", [
      "-xzf",
      release.archives.get(system)?.path ?? "",
      "-C",
      into,
      program,
      "saber.cdx.json",
    ]);
    const name = `${names.name}-${suffix}`;
    const conditions = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, [value]]));
    const files = [program, "saber.cdx.json"];
    await writeManifest(into, { name, ...common, ...conditions, files, preferUnplugged: true });
    optionalDependencies[name] = version;
  }
  const into = await makeFolder(folder, "saber");
  await Deno.copyFile("packaging/npm/saber.mjs", join(into, "saber.mjs"));
  const readme = fill(await Deno.readTextFile("packaging/npm/README.md"), { release, name: names.name });
  await Deno.writeTextFile(join(into, "README.md"), readme);
  await writeManifest(into, {
    ...names,
    ...common,
    type: "module",
    engines: { node: ">=20.6" },
    bin: { saber: "saber.mjs" },
    files: ["saber.mjs"],
    optionalDependencies,
  });
}

/** With the licence, which every package has to carry. */
async function makeFolder(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  await Deno.mkdir(path, { recursive: true });
  await Deno.copyFile("LICENSE", join(path, "LICENSE"));
  return path;
}

async function writeManifest(folder: string, manifest: object): Promise<void> {
  await Deno.writeTextFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
