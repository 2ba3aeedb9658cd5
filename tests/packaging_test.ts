/** What is made of a release's archives for package managers; in the place of the executable stands a script that starts it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { SYSTEMS } from "../src/build/release.ts";
import { run } from "../src/build/run.ts";
import { saberCommand } from "./support/program.ts";
import { shop } from "./support/shop.ts";
import { repository } from "./support/sources.ts";

const VERSION = "9.8.7";
const RELEASE = `https://github.com/acme/saber/releases/download/v${VERSION}`;
const OWN = `${Deno.build.os}-${Deno.build.arch === "x86_64" ? "x64" : "arm64"}`;

/** Archives as the release workflow makes them, and what `deno task package` makes of them. */
async function makePackages(folder: string): Promise<Map<string, string>> {
  const program = join(folder, "program");
  const sums = new Map<string, string>();
  await Deno.mkdir(program);
  await Deno.writeTextFile(join(program, "saber.cdx.json"), "{}");
  for (const [system, { program: name }] of Object.entries(SYSTEMS)) {
    const path = fileURLToPath(repository);
    const script = `#!/bin/sh\n# ${system}\ncd '${path}' && exec ${saberCommand().join(" ")} "$@"\n`;
    await Deno.writeTextFile(join(program, name), script, { mode: 0o755 });
    const archive = join(folder, `saber-v${VERSION}-${system}.tar.gz`);
    await run("tar", ["-czf", archive, "-C", program, name, "saber.cdx.json"]);
    const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(archive));
    sums.set(system, new Uint8Array(digest).toHex());
  }
  await packageRelease(["--tag", `v${VERSION}`, "--repository", "acme/saber"], folder);
  return sums;
}

async function packageRelease(args: readonly string[], folder: string): Promise<void> {
  const script = fileURLToPath(new URL("src/build/package.ts", repository));
  const places = ["--archives", folder, "--output", join(folder, "out")];
  await run("deno", ["run", "-q", "-P=test", script, ...args, ...places]);
}

const scoopSchema = z.object({
  version: z.literal(VERSION),
  homepage: z.literal("https://github.com/acme/saber"),
  architecture: z.object({ "64bit": z.object({ url: z.string(), hash: z.string() }) }),
  bin: z.literal("saber.exe"),
});

Deno.test("the formula and the manifest name each archive with its checksum", async () => {
  const folder = await Deno.makeTempDir();
  const sums = await makePackages(folder);
  const formula = await Deno.readTextFile(join(folder, "out/saber.rb"));
  const named = Array.from(
    formula.matchAll(/url "(.+)"\n +sha256 "(.+)"/g),
    ([, url = "", sum]) => [url.slice(RELEASE.length + `/saber-v${VERSION}-`.length, -".tar.gz".length), sum],
  );
  const systems = [...sums].filter(([system]) => system !== "windows-x64");
  assert.deepEqual(named.toSorted(), systems.toSorted());
  assert.ok(formula.includes(`version "${VERSION}"`) && formula.includes(`url "${RELEASE}/saber-v`));
  assert.ok(!formula.includes("{{"));
  const scoop = scoopSchema.parse(JSON.parse(await Deno.readTextFile(join(folder, "out/saber.json"))));
  assert.deepEqual(scoop.architecture["64bit"], {
    url: `${RELEASE}/saber-v${VERSION}-windows-x64.tar.gz`,
    hash: sums.get("windows-x64"),
  });
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a release that lacks an archive, or has no version, is not packaged", async () => {
  const folder = await Deno.makeTempDir();
  await assert.rejects(
    packageRelease(["--tag", `v${VERSION}`, "--repository", "acme/saber"], folder),
    /linux-x64/,
  );
  await assert.rejects(
    packageRelease(["--tag", "main", "--repository", "acme/saber"], folder),
    /--tag v1\.2\.3/,
  );
  await Deno.remove(folder, { recursive: true });
});

const packedSchema = z.array(z.object({ filename: z.string() }));

/** Packs and installs the packages as npm does when they come from a registry; the optional one only if told to. */
async function install(folder: string, { withProgram }: { readonly withProgram: boolean }): Promise<string> {
  const host = await Deno.makeTempDir({ dir: folder });
  const wanted = ["saber", ...withProgram ? [`saber-${OWN}`] : []];
  const archives: string[] = [];
  for (const name of wanted) {
    const from = join(folder, "out/npm", name);
    const [packed] = packedSchema.parse(
      JSON.parse(await run("npm", ["pack", "--json", "--pack-destination", host, from])),
    );
    archives.push(join(host, packed?.filename ?? ""));
  }
  const quiet = ["--offline", "--omit=optional", "--no-audit", "--no-fund", "--ignore-scripts"];
  await run("npm", ["install", ...quiet, "--prefix", host, ...archives]);
  return join(host, "node_modules/.bin/saber");
}

async function start(program: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await new Deno.Command(program, { args: [...args] }).output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

Deno.test("the npm packages start the executable of this system", async () => {
  const folder = await Deno.makeTempDir();
  await makePackages(folder);
  const saber = await install(folder, { withProgram: true });
  const version = await start(saber, "--version");
  assert.match(version.stdout, /^saber \d/);
  assert.deepEqual([version.code, version.stderr], [0, ""]);
  const wrong = await start(saber, "a b", "--nonsense");
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /--nonsense/);
  const bare = await install(folder, { withProgram: false });
  const without = await start(bare, "--version");
  assert.equal(without.code, 1);
  assert.match(without.stderr, /^Cannot start saber: the package .+ is not installed\. Install .+ again/);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a signal to what npm starts ends the executable in good order", async () => {
  const folder = await Deno.makeTempDir();
  await makePackages(folder);
  const saber = await install(folder, { withProgram: true });
  const child = new Deno.Command(saber, {
    args: ["mcp", "-d", await shop("sqlite")],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  };
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode(`${JSON.stringify(initialize)}\n`));
  const output = child.stdout.getReader();
  const first = await output.read();
  assert.match(new TextDecoder().decode(first.value), /"serverInfo"/);
  child.kill("SIGTERM");
  const { code } = await child.status;
  assert.equal(code, 0);
  await input.close().catch(() => {});
  await output.cancel();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("the README's deno install makes a command that works from any folder", async () => {
  const folder = await Deno.makeTempDir();
  const readme = await Deno.readTextFile(new URL("README.md", repository));
  const [, words = ""] = /^ +deno (install -g .+)$/m.exec(readme) ?? [];
  const { success, stderr } = await new Deno.Command("deno", {
    args: words.split(" "),
    cwd: fileURLToPath(repository),
    env: { DENO_INSTALL_ROOT: folder },
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  const { stdout } = await new Deno.Command(join(folder, "bin", "saber"), {
    args: ["sql", "-d", await shop("sqlite"), "--output", "csv", "SELECT count(*) AS n FROM customers"],
    cwd: folder,
  }).output();
  assert.equal(new TextDecoder().decode(stdout).trim(), "n\n1000");
  await Deno.remove(folder, { recursive: true });
});
