/**
 * What is true of one connection and not of the driver: a server, or a setting, that lets nothing be changed.
 */
import { Fault } from "../../base/fault.ts";
import type { Commands } from "../../wire/dispatch.ts";
import type { Connection } from "./connection.ts";
import type { Plugin } from "./plugin.ts";
import { connected } from "./requests.ts";

export function metadataCommands(plugin: Plugin): Commands {
  return {
    get_connection_metadata: connected(plugin, {}, {
      run: async ({ connection, signal }) =>
        await isReadOnly(connection, signal) ? { capabilities: { readonly: true } } : {},
    }),
  };
}

async function isReadOnly(connection: Connection, signal: AbortSignal): Promise<boolean> {
  if (connection.settings.access === "read") return true;
  const { isReadOnly: question } = connection.workbench;
  if (question === undefined) return false;
  try {
    const [[answer = null] = []] = await connection.ask(question, signal);
    return answer === true || answer === 1;
  } catch (error) {
    // servers that only speak the protocol do not know the question
    if (error instanceof Fault && error.code !== "unreachable" && error.code !== "cancelled") return false;
    throw error;
  }
}
