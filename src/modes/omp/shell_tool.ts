/**
 * A shell for the model, where the user has named it with --tools: what it runs asks first, and is bounded as the user's own.
 */
import * as z from "zod/mini";
import { toJson } from "../../base/json.ts";
import type { Approvals } from "./approvals.ts";
import { type OwnTool, ownTool } from "./own_tool.ts";
import type { Shells } from "./shells.ts";

export function shellTool(
  { shells, approvals }: { readonly shells: Shells; readonly approvals: Approvals },
): OwnTool {
  return ownTool({
    name: "bash",
    description:
      "Runs a shell command in the working folder, without keys and passwords in its environment. Use it for files and " +
      "programs such as git or dbt; ask the databases with execute_sql.",
    arguments: z.object({ command: z.string() }),
    isNamedOnly: true,
    run: async ({ command }, { signal }) => {
      if (approvals.mode !== "yolo") {
        await approvals.ask("Run a shell command?", { message: command, signal });
      }
      return { json: toJson({ ...await shells.run(command, { signal }) }) };
    },
  });
}
