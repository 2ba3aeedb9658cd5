/**
 * `saber db exclude`: which schemas of a saved connection are hidden from lists of tables. They can still be queried.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { ConnectionFile } from "../../settings/connection_file.ts";
import { printLines } from "../print.ts";
import { listOf } from "../connect/list_of.ts";

export const exclude: Mode = {
  usage: {
    line: "db exclude NAME (--set|--add|--remove SCHEMAS | --clear)",
    summary: "Hide schemas of a saved connection from lists of tables.",
    flags: ["set", "add", "remove", "clear"],
    words: 1,
  },
  run,
};

async function run({ config, given: { flags, words } }: App, io: Io): Promise<number> {
  const [name] = words;
  const given = [flags.set, flags.add, flags.remove, flags.clear].filter((flag) => flag !== undefined);
  if (name === undefined || given.length !== 1) {
    throw new Fault("usage", "Give a connection's name and one of --set, --add, --remove and --clear.");
  }
  const schemas = await new ConnectionFile(config.folders.config).setExcluded(name, (before) => {
    const removed = listOf(flags.remove ?? "");
    const kept = flags.add === undefined && flags.remove === undefined ? [] : before;
    const added = listOf(flags.set ?? flags.add ?? "");
    return [...new Set([...kept, ...added])].filter((schema) => !removed.includes(schema));
  });
  await printLines(io, [
    schemas.length === 0 ? `${name} hides no schemas.` : `${name} hides ${schemas.join(", ")}.`,
  ]);
  return 0;
}
