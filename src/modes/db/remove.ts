/**
 * `saber db remove`: forgets a saved connection and its password. The database itself is not touched.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { ConnectionFile } from "../../settings/connection_file.ts";
import { keptPasswords } from "../../settings/passwords.ts";
import { printLines } from "../print.ts";

export const remove: Mode = {
  usage: { line: "db remove NAME", summary: "Forget a saved connection.", flags: [], words: 1 },
  run,
};

async function run({ config, given }: App, io: Io): Promise<number> {
  const [name] = given.words;
  if (name === undefined) throw new Fault("usage", "Which connection? Run 'saber db remove NAME'.");
  const file = new ConnectionFile(config.folders.config);
  const before = await file.read();
  await file.remove(name);
  const user = before.connections[name]?.username;
  if (user) {
    await keptPasswords(config).remove(
      { name, user },
    );
  }
  const after = await file.read();
  const note = after.default !== before.default && after.default !== null
    ? ` The default is now ${after.default}.`
    : "";
  await printLines(io, [`Removed ${name}.${note}`]);
  return 0;
}
