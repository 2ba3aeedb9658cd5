/**
 * `saber plugin manifest`: prints the manifest of one driver, or of each.
 */
import type { App, Io, Mode } from "../../app.ts";
import { toJson } from "../../base/json.ts";
import { printLines } from "../print.ts";
import { chosenDrivers } from "./chosen_drivers.ts";
import { launcherOf } from "./launcher.ts";
import { manifestOf } from "./manifests/manifest.ts";

export const manifest: Mode = {
  usage: {
    line: "plugin manifest [flags]",
    summary: "Print the manifest by which the host knows a driver, one line of JSON for each.",
    flags: ["driver"],
  },
  run: async (app: App, io: Io) => {
    const lines = chosenDrivers(app.config.driver).map((id) => {
      const executable = launcherOf(id, app.startCommand).name;
      return toJson(manifestOf(id, { version: app.version, executable }));
    });
    await printLines(io, lines);
    return 0;
  },
};
