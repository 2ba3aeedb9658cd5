/**
 * The commands that read the state and the conversation, and those that set the plan, the model and the thinking level.
 */
import { RawJson } from "../../base/json.ts";
import { Fault } from "../../base/fault.ts";
import { saveModel, saveThinking } from "../../settings/save_model.ts";
import { command, type Commands } from "../../wire/dispatch.ts";
import { tablesOf } from "../session/tables_of.ts";
import { refreshCommands } from "./announce.ts";
import { THINKING_WORDS, type ThinkingWord } from "./command_line.ts";
import type { Desk } from "./desk.ts";
import { textOf } from "./messages.ts";
import { messagesPage } from "./messages_page.ts";
import { describeModel, engineLevel, nextLevel } from "./models.ts";
import {
  GetArtifact,
  GetMessagesPage,
  GetQueryResult,
  Nothing,
  SetModel,
  SetThinkingLevel,
  SetTodos,
} from "./schemas.ts";
import { stateOf, statsOf } from "./state.ts";

export function stateCommands(desk: Desk): Commands {
  const { conversation, slash } = desk;
  return {
    get_state: command({ params: Nothing, run: () => stateOf(desk) }),
    get_available_commands: command({
      params: Nothing,
      run: async () => {
        await refreshCommands(desk);
        return { commands: slash.list() };
      },
    }),
    get_commands: command({
      params: Nothing,
      run: async () => {
        await refreshCommands(desk);
        return { commands: slash.listForPi() };
      },
    }),
    get_session_stats: command({ params: Nothing, run: () => statsOf(desk) }),
    get_messages: command({
      params: Nothing,
      run: async () => {
        await conversation.settled();
        return { messages: conversation.tree.messages() };
      },
    }),
    get_messages_page: command({
      params: GetMessagesPage,
      run: async (wanted) => {
        await conversation.settled();
        return { ...messagesPage(conversation, wanted) };
      },
    }),
    get_last_assistant_text: command({ params: Nothing, run: () => lastText(desk) }),
    set_todos: command({
      params: SetTodos,
      run: ({ phases }) => ({ todoPhases: desk.todos.set(phases) }),
    }),
    ...modelCommands(desk),
    ...databaseCommands(desk),
  };
}

function lastText({ conversation }: Desk): { text?: string } {
  const last = conversation.tree.messages().findLast((message) =>
    message.role === "assistant" && (message.stopReason !== "aborted" || message.content.length > 0)
  );
  return last?.role === "assistant" ? { text: textOf(last.content).trim() } : {};
}

function modelCommands(desk: Desk): Commands {
  const { conversation, models } = desk;
  return {
    set_model: command({
      params: SetModel,
      run: async ({ provider, modelId, persist }) => {
        await useModel(desk, `${provider}:${modelId}`);
        if (persist) await saveModel(desk.app.config.folders.config, `${provider}:${modelId}`);
        return describeModel(conversation.session.model);
      },
    }),
    cycle_model: command({
      params: Nothing,
      run: async () => {
        const next = await models.after(conversation.session.model.id);
        if (!next) return null;
        await useModel(desk, next.id);
        const { isScoped } = models;
        return { model: describeModel(next), thinkingLevel: desk.thinkingLevel, isScoped };
      },
    }),
    get_available_models: command({
      params: Nothing,
      run: async () => ({ models: (await models.available()).map(describeModel) }),
    }),
    set_thinking_level: command({
      params: SetThinkingLevel,
      run: async ({ level, persist }) => {
        await useLevel(desk, level);
        if (persist) await saveThinking(desk.app.config.folders.config, engineLevel(level));
        return undefined;
      },
    }),
    cycle_thinking_level: command({
      params: Nothing,
      run: async () => {
        await useLevel(desk, nextLevel(desk.thinkingLevel));
        return { level: desk.thinkingLevel };
      },
    }),
    get_available_thinking_levels: command({ params: Nothing, run: () => ({ levels: THINKING_WORDS }) }),
    set_fast_mode: command({ params: Nothing, run: () => ({ enabled: false, active: false }) }),
    reload_model: command({
      params: Nothing,
      run: async () => {
        conversation.session.setModel(await desk.app.openModel());
        return describeModel(conversation.session.model);
      },
    }),
  };
}

/** For the requests to come, and noted in the session. Throws Fault `no_model`. */
export async function useModel({ conversation, models }: Desk, id: string): Promise<void> {
  const [provider = "", ...rest] = id.split(":");
  const modelId = rest.join(":");
  const model = await models.open(id).catch((error) => {
    const why = error instanceof Fault && /no API key/.test(error.message)
      ? "No API key for"
      : "Model not found:";
    throw new Fault("no_model", `${why} ${provider}/${modelId}`, { cause: error });
  });
  conversation.session.setModel(model);
  conversation.tree.append({ type: "model_change", provider, modelId, model: `${provider}/${modelId}` });
}

export async function useLevel(desk: Desk, level: ThinkingWord): Promise<void> {
  if (level === desk.thinkingLevel) return;
  desk.thinkingLevel = level;
  desk.conversation.session.setThinkingLevel(engineLevel(level));
  desk.conversation.tree.append({ type: "thinking_level_change", thinkingLevel: level });
  await desk.conversation.emit("thinking_level_changed", { thinkingLevel: level });
}

function databaseCommands({ databases, shelf }: Desk): Commands {
  return {
    get_tables: command({
      params: Nothing,
      lane: "concurrent",
      run: async (_params, { signal }) => ({ tables: await tablesOf(databases, signal) }),
    }),
    get_query_result: command({
      params: GetQueryResult,
      run: async ({ resultId, offset, limit }) => {
        const { result, rows, hasMore } = await shelf.results.page(resultId, { offset, limit });
        return { result: { ...result }, offset, limit, rows: rows.map((row) => new RawJson(row)), hasMore };
      },
    }),
    get_artifact: command({
      params: GetArtifact,
      run: async ({ artifactId }) => ({ artifact: { ...await shelf.artifacts.find(artifactId) } }),
    }),
  };
}
