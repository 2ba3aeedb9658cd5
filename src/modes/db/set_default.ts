/**
 * `saber db set-default`: which saved connection is used when none is named.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { ConnectionFile } from "../../settings/connection_file.ts";
import { printLines } from "../print.ts";

export const setDefault: Mode = {
  usage: {
    line: "db set-default NAME",
    summary: "Use this saved connection when none is named.",
    flags: [],
    words: 1,
  },
  run,
};

async function run({ config, given }: App, io: Io): Promise<number> {
  const [name] = given.words;
  if (name === undefined) throw new Fault("usage", "Which connection? Run 'saber db set-default NAME'.");
  await new ConnectionFile(config.folders.config).setDefault(name);
  await printLines(io, [`The default is now ${name}.`]);
  return 0;
}
