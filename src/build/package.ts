/**
 * `deno task package`: from a folder with the archives of a release it writes what package managers need: a Homebrew formula, a
 * scoop manifest and the npm packages. It publishes nothing.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod/mini";
import { writeNpmPackages } from "./npm_packages.ts";
import { fill, readRelease } from "./release.ts";

const serverSchema = z.object({
  name: z.string(),
  packages: z.tuple([z.object({ identifier: z.string() })]),
});

const { values } = parseArgs({
  options: {
    tag: { type: "string", default: "" },
    repository: { type: "string", default: "" },
    archives: { type: "string", default: "." },
    output: { type: "string", default: "dist/packages" },
  },
});
await writePackages(values);

async function writePackages({ tag, repository, archives, output }: typeof values): Promise<void> {
  if (!/^v\d+\.\d+\.\d+(-[\w.]+)?$/.test(tag) || !/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw new Error("Give the release as --tag v1.2.3 and its place as --repository owner/name.");
  }
  const release = await readRelease(archives, { version: tag.slice(1), repository });
  const server = serverSchema.parse(JSON.parse(await Deno.readTextFile("server.json")));
  const names = { name: server.packages[0].identifier, mcpName: server.name };
  await Deno.mkdir(output, { recursive: true });
  for (const template of ["packaging/homebrew/saber.rb", "packaging/scoop/saber.json"]) {
    const text = fill(await Deno.readTextFile(template), { release, name: names.name });
    await Deno.writeTextFile(join(output, template.replace(/^.*\//, "")), text);
  }
  await writeNpmPackages(join(output, "npm"), { release, names });
}
