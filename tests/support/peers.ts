/**
 * Programs of others that the tests run against saber, and that the bench compares it with. They are installed once,
 * into npm folders of their own, so that no dependency of theirs is one of the program's.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const FOLDER = new URL("../peers/", import.meta.url);
const BENCH_FOLDER = new URL("../bench/peers/", import.meta.url);

/** Where a package of tests/peers lies, as a file URL that ends with "/". Installs them all when they are missing. */
export async function peer(name: string): Promise<URL> {
  return await packageIn(FOLDER, name);
}

/** The same for a package of tests/peers/coding_agents. */
export async function hostPeer(name: string): Promise<URL> {
  return await packageIn(new URL("coding_agents/", FOLDER), name);
}

/** Bun's executable for this system. */
export async function bun(): Promise<string> {
  const { os } = Deno.build;
  const arch = Deno.build.arch === "x86_64" ? "x64" : "aarch64";
  const executable = os === "windows" ? "bin/bun.exe" : "bin/bun";
  return fileURLToPath(new URL(executable, await peer(`@oven/bun-${os}-${arch}`)));
}

/** The same for a package of tests/bench/peers. */
export async function benchPeer(name: string): Promise<URL> {
  return await packageIn(BENCH_FOLDER, name);
}

async function packageIn(root: URL, name: string): Promise<URL> {
  const folder = new URL(`node_modules/${name}/`, root);
  if (!await exists(folder)) await install(root);
  return folder;
}

async function exists(url: URL): Promise<boolean> {
  return await Deno.stat(url).then(() => true, () => false);
}

async function install(root: URL): Promise<void> {
  const npm = Deno.build.os === "windows" ? "npm.cmd" : "npm";
  // not `ci`: it refuses the lock while an optional dependency of a dependency cannot be had for any system
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { success, stderr } = await new Deno.Command(npm, {
    args,
    cwd: root,
    stdout: "null",
    stderr: "piped",
  })
    .output();
  assert.ok(success, `Cannot install the test peers:\n${new TextDecoder().decode(stderr)}`);
}
