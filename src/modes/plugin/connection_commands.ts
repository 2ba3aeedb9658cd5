/**
 * The commands about connections themselves: settings, tests, pings, and the end.
 */
import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import type { Json } from "../../base/json.ts";
import type { Row } from "../../db/values.ts";
import type { Id } from "../../wire/frame.ts";
import type { Commands } from "../../wire/dispatch.ts";
import { type ConnectionParams, readConnection } from "./connection_params.ts";
import type { Plugin } from "./plugin.ts";
import { connected, plain } from "./requests.ts";

/** How long a ping may take; the host gives up soon after, in milliseconds. */
const PING_MS = 4000;
/** How long a test may take, in milliseconds. */
const TEST_MS = 15_000;

/** What the commands do to the line that they came on. */
export interface Line {
  cancel(id: Id): void;
  close(): void;
}

export function connectionCommands(plugin: Plugin, line: Line): Commands {
  const id = z.union([z.string(), z.number(), z.bigint()]);
  return {
    test_connection: plain({}, async ({ signal, sent }) => {
      const params = readConnection(sent.params ?? sent);
      try {
        const connection = await plugin.connection(params);
        await connection.ask(connection.workbench.version, within(signal, TEST_MS));
        return { success: true };
      } catch (error) {
        await plugin.forget(params);
        throw error;
      }
    }),
    ping: connected(plugin, {}, {
      run: async ({ connection }) => {
        await connection.ping(PING_MS);
        return null;
      },
    }),
    get_databases: plain({}, async ({ signal, sent }) => {
      const params = readConnection(sent.params ?? sent);
      return await databases(plugin, { params, signal }).catch(async (error) => {
        const { address } = params;
        if (!isUnknownDatabase(error) || address.database === undefined) throw error;
        await plugin.forget(params);
        // the form asks before it knows a name that is right
        const unnamed = { ...params, address: { ...address, database: undefined } };
        return await databases(plugin, { params: unnamed, signal });
      });
    }),
    get_schemas: connected(plugin, {}, {
      run: async ({ connection, signal }) => {
        const sql = connection.workbench.catalog.schemas?.();
        return sql === undefined ? [] : names(await connection.ask(sql, signal));
      },
    }),
    cancel: plain({ id: z.optional(z.unknown()) }, ({ fields }) => {
      const parsed = id.safeParse(fields.id);
      if (parsed.success) line.cancel(parsed.data);
      return Promise.resolve(null);
    }),
    shutdown: plain({}, (_call, context) => {
      context.afterReply(() => line.close());
      return Promise.resolve(null);
    }),
  };
}

async function databases(
  plugin: Plugin,
  { params, signal }: { params: ConnectionParams; signal: AbortSignal },
): Promise<Json> {
  const connection = await plugin.connection(params);
  const sql = connection.workbench.catalog.databases?.();
  return sql === undefined ? [connection.name] : names(await connection.ask(sql, signal));
}

function isUnknownDatabase(error: unknown): boolean {
  return error instanceof Fault && error.code === "bad_target";
}

function within(signal: AbortSignal, ms: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}

function names(rows: readonly Row[]): Json {
  return rows.map(([name]) => String(name ?? ""));
}
