/**
 * Running what people write: one statement, several, in a tab or not; and ending a tab.
 */
import * as z from "zod/mini";
import { toFault } from "../../base/fault.ts";
import type { Json } from "../../base/json.ts";
import type { WorkSession } from "../../db/workbench.ts";
import type { Commands } from "../../wire/dispatch.ts";
import type { Connection } from "./connection.ts";
import { inFull } from "./error_text.ts";
import type { Plugin } from "./plugin.ts";
import { connected, count, optionalText, plain, schemaName, text } from "./requests.ts";
import { type RunOptions, runText } from "./run_statement.ts";

const page = z.pipe(z.optional(z.nullable(count)), z.transform((value) => value || 1));
const limit = z.pipe(z.optional(z.nullable(count)), z.transform((value) => value ?? null));

interface Run {
  readonly connection: Connection;
  readonly schema: string | null;
  readonly session: string | null;
  readonly signal: AbortSignal;
}

export function queryCommands(plugin: Plugin): Commands {
  const common = { limit, page, schema: schemaName, session_id: optionalText };
  return {
    execute_query: connected(plugin, { query: text, ...common }, {
      run: async ({ fields, connection, signal }) => {
        const options = { connection, limit: fields.limit, page: fields.page };
        const run = { connection, schema: fields.schema, session: fields.session_id, signal };
        const done = await onSession(
          run,
          (session, inner) => runText(session, fields.query, { ...options, signal: inner }),
        );
        return fields.session_id === null
          ? done.result
          : { result: done.result, in_transaction: done.in_transaction };
      },
    }),
    execute_query_batch: connected(plugin, { queries: z.array(text), ...common }, {
      run: async ({ fields, connection, signal }) => {
        const options = { connection, limit: fields.limit, page: fields.page };
        const run = { connection, schema: fields.schema, session: fields.session_id, signal };
        const done = await onSession(
          run,
          (session, inner) => runBatch(session, fields.queries, { ...options, signal: inner }),
        );
        return fields.session_id === null
          ? done.result
          : { results: done.result, in_transaction: done.in_transaction };
      },
    }),
    release_session: plain({ session_id: text }, async ({ fields }) => {
      await plugin.releaseTab(fields.session_id);
      return { released: true };
    }),
  };
}

interface Done<Result> {
  readonly result: Result;
  readonly in_transaction: boolean;
}

/** On the tab's session, or on one that is as new afterwards. */
async function onSession<Result>(
  { connection, schema, session: tab, signal }: Run,
  work: (session: WorkSession, signal: AbortSignal) => Promise<Result>,
): Promise<Done<Result>> {
  const inSchema = async (session: WorkSession, inner: AbortSignal) => {
    await connection.enter(session, { schema, signal: inner });
    return await work(session, inner);
  };
  if (tab === null) {
    const result = await connection.use(signal, (session) => inSchema(session, signal));
    return { result, in_transaction: false };
  }
  return await connection.tabs.run(tab, signal, {
    // what a transaction sees must not change in its midst
    work: (session, run) => run.isKept ? work(session, run.signal) : inSchema(session, run.signal),
  });
}

/** Each statement has its own result or error; a cancelled batch runs no further ones. */
async function runBatch(
  session: WorkSession,
  queries: readonly string[],
  options: RunOptions,
): Promise<Json> {
  const items: Json[] = [];
  for (const query of queries) {
    options.signal.throwIfAborted();
    const start = performance.now();
    const outcome = await runText(session, query, options).then(
      (result) => ({ result, error: null }),
      (error) => ({ result: null, error: inFull(toFault(error)).message }),
    );
    items.push({ ...outcome, execution_time_ms: Math.round((performance.now() - start) * 1000) / 1000 });
    if (!session.isOpen) options.signal.throwIfAborted();
  }
  return items;
}
