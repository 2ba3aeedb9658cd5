/**
 * The commands that read: the state, the conversation, stored results and the tables of the databases.
 */
import { RawJson } from "../../base/json.ts";
import type { Database } from "../../db/driver.ts";
import { command, type Commands } from "../../wire/dispatch.ts";
import type { AnswerTo } from "./contract/spelled.ts";
import type { Conversation } from "./conversation.ts";
import { GetArtifact, GetQueryResult, Nothing } from "./schemas.ts";
import { spellArtifact, spellMessage, spellResult } from "./spelling.ts";

export function readCommands(conversation: Conversation): Commands {
  const { session, shelf } = conversation;
  return {
    get_state: command({ params: Nothing, run: () => conversation.state() }),
    get_messages: command({
      params: Nothing,
      run: () => ({ messages: session.messages.map(spellMessage) }) satisfies AnswerTo<"get_messages">,
    }),
    get_last_assistant_text: command({
      params: Nothing,
      run: () => ({ text: session.lastAssistantText }) satisfies AnswerTo<"get_last_assistant_text">,
    }),
    get_tables: command({
      params: Nothing,
      run: async (_params, { signal }) => {
        conversation.requireIdle();
        return { tables: await tablesOf(conversation, signal) } satisfies AnswerTo<"get_tables">;
      },
    }),
    get_query_result: command({
      params: GetQueryResult,
      run: async ({ resultId, offset, limit }) => {
        const { result, rows, hasMore } = await shelf.results.page(resultId, { offset, limit });
        const texts = rows.map((row) => new RawJson(row));
        return {
          result: spellResult(result),
          offset,
          limit,
          rows: texts,
          hasMore,
        } satisfies AnswerTo<"get_query_result">;
      },
    }),
    get_artifact: command({
      params: GetArtifact,
      run: async ({ artifactId }) => {
        const artifact = await shelf.artifacts.find(artifactId);
        return { artifact: spellArtifact(artifact) } satisfies AnswerTo<"get_artifact">;
      },
    }),
  };
}

type Tables = AnswerTo<"get_tables">["tables"];

async function tablesOf({ databases }: Conversation, signal: AbortSignal): Promise<Tables> {
  const lists = await Promise.all(
    databases.list.map(async ({ name }) =>
      await listed(name, { database: await databases.get(name), signal })
    ),
  );
  return lists.flat();
}

async function listed(name: string, from: { database: Database; signal: AbortSignal }): Promise<Tables> {
  const tables = await from.database.tables({ signal: from.signal });
  return tables.map((table) => ({
    database: name,
    schema: table.schema,
    name: table.name,
    kind: table.kind,
    qualifiedName: `${table.schema}.${table.name}`,
  }));
}
