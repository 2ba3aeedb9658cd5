/**
 * `--config FILE`: flags that a host keeps in a file instead of on its command line. The file is a JSON object whose members
 * are named as the flags are, without the dashes.
 */
import * as z from "zod/mini";
import { checkOrdinary, OddFile } from "../../base/ordinary_file.ts";

const MAX_BYTES = 1 << 20;
const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const File = z.record(z.string(), Value);

export interface ConfigFile {
  /** As they would stand on the command line. */
  readonly args: readonly string[];
  /** Why nothing was taken from it. */
  readonly warnings: readonly string[];
}

/** Hosts of other programs name files of their own: what is of another form is overlooked, and told of. */
export function readConfigFile(path: string): ConfigFile {
  try {
    checkOrdinary(path, { maxBytes: MAX_BYTES });
    const flags = File.parse(JSON.parse(Deno.readTextFileSync(path)));
    return { args: Object.entries(flags).flatMap(([name, value]) => toArguments(name, value)), warnings: [] };
  } catch (error) {
    const state = error instanceof Deno.errors.NotFound
      ? "there is no such file"
      : error instanceof OddFile
      ? error.message
      : "it is no JSON object of flags";
    return { args: [], warnings: [`saber: --config ${path} is overlooked: ${state}.`] };
  }
}

function toArguments(name: string, value: z.infer<typeof Value>): string[] {
  const flag = `--${name}`;
  if (typeof value === "boolean") return value ? [flag] : [];
  if (typeof value !== "object") return [`${flag}=${value}`];
  return name === "database" ? value.map((each) => `${flag}=${each}`) : [`${flag}=${value.join(",")}`];
}
