/**
 * `saber models reset`: forgets which model was chosen.
 */
import type { App, Io, Mode } from "../../app.ts";
import { saveModel } from "../../settings/save_model.ts";
import { printLines } from "../print.ts";

export const reset: Mode = {
  usage: { line: "models reset", summary: "Forget which model was chosen.", flags: [] },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  await saveModel(app.config.folders.config, undefined);
  await printLines(io, ["No model is chosen now."]);
  return 0;
}
