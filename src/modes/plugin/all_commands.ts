/**
 * All commands of `saber plugin` but `initialize`, put together from their files.
 */
import type { Commands } from "../../wire/dispatch.ts";
import { batchCommands } from "./batch_commands.ts";
import { blobCommands } from "./blob_commands.ts";
import { catalogCommands } from "./catalog_commands.ts";
import { connectionCommands, type Line } from "./connection_commands.ts";
import { definitionCommands } from "./definition_commands.ts";
import { explainCommands } from "./explain_commands.ts";
import { metadataCommands } from "./metadata_commands.ts";
import { objectCommands } from "./object_commands.ts";
import type { Plugin } from "./plugin.ts";
import { queryCommands } from "./query_commands.ts";
import { recordCommands } from "./record_commands.ts";
import { userCommands } from "./user_commands.ts";

export function allCommands(plugin: Plugin, line: Line): Commands {
  return {
    ...connectionCommands(plugin, line),
    ...queryCommands(plugin),
    ...catalogCommands(plugin),
    ...batchCommands(plugin),
    ...recordCommands(plugin),
    ...blobCommands(plugin),
    ...definitionCommands(plugin),
    ...objectCommands(plugin),
    ...explainCommands(plugin),
    ...metadataCommands(plugin),
    ...userCommands(plugin),
  };
}
