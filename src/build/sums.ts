/**
 * `SHA256SUMS`: the checksum of every file that a build leaves in a folder, as `sha256sum --check` reads it.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";

const NAME = "SHA256SUMS";

export async function writeSums(folder: string): Promise<void> {
  const lines: string[] = [];
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (!isFile || name === NAME) continue;
    const sum = createHash("sha256").update(await Deno.readFile(join(folder, name))).digest("hex");
    lines.push(`${sum}  ${name}\n`);
  }
  await Deno.writeTextFile(
    join(folder, NAME),
    lines.sort((a, b) => a.slice(66) < b.slice(66) ? -1 : 1).join(""),
  );
}
