/**
 * The command table of `saber rpc`. Each entry is small: what a run is and how it ends is conversation.ts's.
 */
import type { Json } from "../../base/json.ts";
import { RawJson } from "../../base/json.ts";
import type { Database } from "../../db/driver.ts";
import { command, type Commands, type CommandSpec } from "../../wire/dispatch.ts";
import type * as z from "zod/mini";
import type { Conversation } from "./conversation.ts";
import { GetQueryResult, NewSession, Nothing, Prompt } from "./schemas.ts";
import { spellMessage, spellResult } from "./spelling.ts";

/** `end` is called when the host wants no more. */
export function commandsOf(conversation: Conversation, end: () => void): Commands {
  const { session } = conversation;
  const open = <Schema extends z.ZodMiniType>(spec: CommandSpec<Schema>) =>
    command({
      ...spec,
      run: (params, context) => {
        conversation.requireOpen();
        return spec.run(params, context);
      },
    });
  return {
    prompt: open({
      params: Prompt,
      run: ({ message }, { id, afterReply }) => {
        afterReply(conversation.accept(message, id));
        return undefined;
      },
    }),
    abort: open({
      params: Nothing,
      lane: "urgent",
      run: async () => ({ aborted: await conversation.abort() }),
    }),
    new_session: open({
      params: NewSession,
      run: () => {
        conversation.requireIdle();
        session.newSession();
        return conversation.state();
      },
    }),
    get_state: open({ params: Nothing, run: () => conversation.state() }),
    get_messages: open({ params: Nothing, run: () => ({ messages: session.messages.map(spellMessage) }) }),
    get_last_assistant_text: open({ params: Nothing, run: () => ({ text: session.lastAssistantText }) }),
    get_tables: open({
      params: Nothing,
      run: async (_params, { signal }) => {
        conversation.requireIdle();
        return { tables: await tablesOf(conversation, signal) };
      },
    }),
    get_query_result: open({
      params: GetQueryResult,
      run: async ({ resultId, offset, limit }) => {
        const { result, rows, hasMore } = await conversation.results.page(resultId, { offset, limit });
        return {
          result: spellResult(result),
          offset,
          limit,
          rows: rows.map((row) => new RawJson(row)),
          hasMore,
        };
      },
    }),
    shutdown: open({
      params: Nothing,
      lane: "urgent",
      run: async (_params, { afterReply }) => {
        await conversation.close();
        afterReply(end);
        return undefined;
      },
    }),
  };
}

async function tablesOf({ databases }: Conversation, signal: AbortSignal): Promise<Json> {
  const lists = await Promise.all(
    databases.list.map(async ({ name }) =>
      await listed(name, { database: await databases.get(name), signal })
    ),
  );
  return lists.flat();
}

async function listed(name: string, from: { database: Database; signal: AbortSignal }): Promise<Json[]> {
  const tables = await from.database.tables({ signal: from.signal });
  return tables.map((table) => ({
    database: name,
    schema: table.schema,
    name: table.name,
    kind: table.kind,
    qualifiedName: `${table.schema}.${table.name}`,
  }));
}
