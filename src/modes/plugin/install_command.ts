/**
 * `saber plugin install`: puts drivers where the host finds them, each a folder with its manifest and what starts it.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { toJson } from "../../base/json.ts";
import { printLines } from "../print.ts";
import { chosenDrivers } from "./chosen_drivers.ts";
import type { DriverId } from "./drivers.ts";
import { launcherOf } from "./launcher.ts";
import { manifestOf } from "./manifests/manifest.ts";
import { driverFolder, pluginsFolder } from "./plugins_folder.ts";

/** Hosts before 0.20 know the second name only. */
const MANIFEST_NAMES = [".tabularium", "manifest.json"];

export const install: Mode = {
  usage: {
    line: "plugin install [flags]",
    summary: "Install saber as drivers of the Tabularis desktop client: all of them, or the one of --driver.",
    flags: ["driver", "dir"],
  },
  run: async (app: App, io: Io) => {
    const plugins = app.given.flags.dir ?? await pluginsFolder(app);
    const lines: string[] = [];
    for (const id of chosenDrivers(app.config.driver)) lines.push(await installDriver(app, { id, plugins }));
    await printLines(io, [...lines, "Restart Tabularis to see them."]);
    return 0;
  },
};

async function installDriver(app: App, { id, plugins }: { id: DriverId; plugins: string }): Promise<string> {
  const launcher = launcherOf(id, app.startCommand);
  const folder = await driverFolder(plugins, id);
  try {
    await Deno.mkdir(folder, { recursive: true });
    await launcher.write(`${folder}/${launcher.name}`);
    const text = toJson(manifestOf(id, { version: app.version, executable: launcher.name }));
    for (const name of MANIFEST_NAMES) await Deno.writeTextFile(`${folder}/${name}`, `${text}\n`);
    return `${id}: ${folder}`;
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault(
      "unavailable",
      `Cannot install the driver ${id}: ${folder} cannot be written. Check it, or use --dir.`,
      {
        cause,
      },
    );
  }
}
