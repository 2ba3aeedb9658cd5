/**
 * export_result: a file made of rows that were stored. How files are written and kept is the row keeper's matter.
 */
import * as z from "zod/mini";
import { Fault } from "../base/fault.ts";
import { toJson } from "../base/json.ts";
import type { Tool } from "./tool.ts";

const args = z.strictObject({
  result_id: z.string().check(z.describe("The result_id of an execute_sql answer of this conversation")),
  format: z.enum(["csv", "json", "parquet"]).check(z.describe("The kind of file")),
  name: z.optional(
    z.string().check(z.describe("What to call the file, without its ending, e.g. late orders")),
  ),
});

export const exportResult: Tool<typeof args> = {
  name: "export_result",
  title: "Export a result",
  description: "Writes all rows of a stored query result to a file and hands it to the user. " +
    "Use it only when the user asks for a file, after an execute_sql that returned what it shall hold.",
  arguments: args,
  needsDatabase: false,
  exportsRows: true,
  output: {
    type: "object",
    properties: {
      success: { type: "boolean" },
      artifact_id: { type: "string" },
      name: { type: "string" },
      media_type: { type: "string" },
      size: { type: "integer" },
    },
    required: ["success", "artifact_id", "name", "media_type", "size"],
  },
  async run({ result_id: id, format, name }, { rows, signal }) {
    if (!rows.export) throw new Fault("bad_request", "Cannot export: results are not kept here.");
    const artifact = await rows.export(id, { format, name, signal });
    const { mediaType: media_type, size } = artifact;
    const json = toJson({ success: true, artifact_id: artifact.id, name: artifact.name, media_type, size });
    return { json, artifacts: [artifact] };
  },
};
