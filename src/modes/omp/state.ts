/**
 * What get_state and get_session_stats tell. Everything is worked out when it is asked for; nothing is kept twice.
 */
import type { Json } from "../../base/json.ts";
import { contextUsage } from "./context_usage.ts";
import type { Desk } from "./desk.ts";
import type { OmpMessage, Usage } from "./messages.ts";
import { describeModel } from "./models.ts";
import { messageOf } from "./session_tree.ts";

type Fields = { readonly [key: string]: Json | undefined };

export function stateOf(desk: Desk): Fields {
  const { conversation, toolbox } = desk;
  const { session, tree } = conversation;
  const messages = tree.messages();
  const count = conversation.queuedMessageCount;
  return {
    model: session.model.id === "" ? undefined : describeModel(session.model),
    thinkingLevel: desk.thinkingLevel,
    isStreaming: conversation.isStreaming,
    isCompacting: conversation.compactor.isRunning,
    steeringMode: session.queue.steeringMode,
    followUpMode: session.queue.followUpMode,
    interruptMode: session.interruptMode,
    sessionFile: tree.path,
    sessionId: tree.header.id,
    sessionName: tree.name,
    autoCompactionEnabled: conversation.compactor.isAutomatic,
    messageCount: messages.length,
    queuedMessageCount: count,
    pendingMessageCount: count,
    todoPhases: desk.todos.phases,
    systemPrompt: [session.system],
    dumpTools: toolbox.specs().map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: schemaJson(parameters),
    })),
    contextUsage: contextUsage(session, messages),
    fastModeEnabled: false,
    saber: databaseState(desk),
  };
}

function databaseState({ databases, app, conversation }: Desk): Fields {
  const [primary] = databases.list;
  return {
    database: {
      name: primary?.name ?? "",
      type: primary?.displayName ?? "",
      names: databases.list.map(({ name }) => name),
    },
    dangerousMode: app.config.access === "write",
    csvToolResults: app.config.csvToolResults,
    pendingSteers: conversation.session.pendingSteers,
  };
}

/** A JSON Schema is JSON already. */
function schemaJson(parameters: unknown): Json {
  const json: Json = JSON.parse(JSON.stringify(parameters));
  return json;
}

export function statsOf(desk: Desk): Fields {
  const { session, tree } = desk.conversation;
  const messages = tree.branch().flatMap(messageOf);
  const assistants = messages.filter((message) => message.role === "assistant");
  const results = messages.filter((message) => message.role === "toolResult");
  const statements = results.filter(({ toolName }) => toolName === "execute_sql");
  const sum = (count: (usage: Usage) => number) =>
    assistants.reduce((total, { usage }) => total + count(usage), 0);
  const tokens = {
    input: sum(({ input }) => input),
    output: sum(({ output }) => output),
    reasoning: 0,
    cacheRead: sum(({ cacheRead }) => cacheRead),
    cacheWrite: sum(({ cacheWrite }) => cacheWrite),
    total: sum(({ totalTokens }) => totalTokens),
  };
  return {
    sessionFile: tree.path,
    sessionId: tree.header.id,
    userMessages: messages.filter(({ role }) => role === "user").length,
    assistantMessages: assistants.length,
    toolCalls: assistants.reduce((total, { content }) => total + content.filter(isCall).length, 0),
    toolResults: results.length,
    totalMessages: messages.length,
    tokens,
    cost: sum(({ cost }) => cost.total),
    premiumRequests: 0,
    contextUsage: contextUsage(session, tree.messages()),
    sql: {
      queries: statements.length,
      failedQueries: statements.filter(({ isError }) => isError).length,
      rowsReturned: sumOf(statements, ({ queryResult }) => queryResult?.rowCount),
      dbTimeMs: sumOf(statements, ({ elapsedMs }) => elapsedMs),
      blockedStatements: desk.toolbox.blocked,
      approvals: desk.approvals.count,
    },
  };
}

interface Details {
  readonly elapsedMs?: number;
  readonly queryResult?: { readonly rowCount?: number };
}

function sumOf(
  results: readonly Extract<OmpMessage, { role: "toolResult" }>[],
  pick: (details: Details) => number | undefined,
): number {
  return results.reduce((total, { details }) => {
    const known: Details = details === undefined ? {} : JSON.parse(details.text);
    return total + (pick(known) ?? 0);
  }, 0);
}

function isCall({ type }: { readonly type: string }): boolean {
  return type === "toolCall";
}
