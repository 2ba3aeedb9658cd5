/**
 * Tools whose answers the model reads as CSV.
 */
import { csvText } from "../tools/csv_text.ts";
import type { Toolbox } from "./toolbox.ts";

/** An answer that would be longer as CSV (nested values) stays JSON, so that what bounds the JSON bounds both. */
export function csvToolbox(toolbox: Toolbox): Toolbox {
  return {
    specs: () => toolbox.specs(),
    async call(name, args, options) {
      const output = await toolbox.call(name, args, options);
      const csv = csvText(output.json);
      return csv.length < output.json.length ? { ...output, json: csv } : output;
    },
  };
}
