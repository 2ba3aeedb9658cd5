/**
 * The commands that read: the state, the conversation, stored results and the tables of the databases.
 */
import { RawJson } from "../../base/json.ts";
import { command, type Commands } from "../../wire/dispatch.ts";
import { tablesOf } from "../session/tables_of.ts";
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
        return { tables: await tablesOf(conversation.databases, signal) } satisfies AnswerTo<"get_tables">;
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
