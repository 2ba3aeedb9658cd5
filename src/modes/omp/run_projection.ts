/**
 * One pass of the agent as the protocol tells it: turns, messages of all roles, tools. It hands every finished message to
 * whoever keeps the conversation, also those of turns that fail or are stopped. When a run begins and ends is
 * conversation.ts's.
 */
import type { AgentEnd, AgentEvent, ToolEnd, TranscriptMessage } from "../../agent/events.ts";
import { RawJson, toJson } from "../../base/json.ts";
import type { HostSide } from "./host_side.ts";
import { type Emit, MessageTeller } from "./message_teller.ts";
import type { AssistantMessage, OmpMessage, ToolResult } from "./messages.ts";
import {
  type Answerer,
  emptyAssistant,
  type How,
  spellAssistant,
  spellHostResult,
  spellToolResult,
  spellUser,
} from "./spelling.ts";

type User = Extract<TranscriptMessage, { role: "user" }>;

export interface ProjectionOptions {
  readonly emit: Emit;
  /** Takes a finished message into the conversation. */
  keep(message: OmpMessage): void;
  answerer(): Answerer;
  readonly host?: HostSide;
  /** SQL is told of as it is written. */
  readonly tellsExtras?: boolean;
}

interface OpenCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: RawJson;
  startedAt: number | undefined;
}

interface Turn {
  assistant: AssistantMessage | undefined;
  readonly results: ToolResult[];
  /** Calls of the assistant that have no result yet. */
  calls: OpenCall[];
}

export class RunProjection {
  readonly messages: OmpMessage[] = [];
  readonly #options: ProjectionOptions;
  #turn: Turn | undefined;
  #teller: MessageTeller | undefined;

  constructor(options: ProjectionOptions) {
    this.#options = options;
  }

  /** The messages with which the run begins; none where the conversation goes on as it stands. */
  async begin(prompt: readonly User[], how: How): Promise<void> {
    if (prompt.length === 0) return;
    await this.#beginTurn();
    for (const message of prompt) await this.#tellWhole(spellUser(message, how));
  }

  async take(event: Exclude<AgentEvent, AgentEnd>): Promise<void> {
    switch (event.type) {
      case "agent_start":
        return;
      case "sql_update":
        return await this.#tellSql(event);
      case "queue_update":
        if (!event.delivery) return;
        await this.#beginTurn();
        for (const message of event.delivery.messages) {
          await this.#tellWhole(spellUser(message, event.delivery.how));
        }
        return;
      case "message_start":
        return await this.#beginMessage();
      case "message_update":
        return await this.#teller?.take(event.update);
      case "message_end":
        await this.#endMessage(spellAssistant(event.message, this.#options.answerer()));
        return event.message.stopReason === "contentFilter" ? await this.#tellFiltered() : undefined;
      case "tool_execution_start":
        return await this.#beginTool(event.call.id);
      case "tool_execution_end":
        return await this.#endTool(event.end);
    }
  }

  /** Closes what is open; `error` of a failed run, or why it was stopped. */
  async end(end: AgentEnd): Promise<void> {
    if (end.status !== "completed") await this.#break(end);
    await this.#endTurn();
  }

  /** Closes an answer that is no part of the conversation. */
  async drop(errorMessage: string): Promise<void> {
    const { emit } = this.#options;
    await this.#teller?.flush();
    const message = this.#teller?.growing.broken({ stopReason: "aborted", errorMessage });
    this.#teller = undefined;
    if (!message) return await this.#endTurn();
    if (this.#turn) this.#turn.assistant = message;
    await emit("message_end", { message });
    await this.#endTurn();
  }

  async #tellSql({ sql, toolCallId }: { readonly sql: string; readonly toolCallId: string }): Promise<void> {
    const { emit, tellsExtras } = this.#options;
    if (tellsExtras) await emit("sql_update", { sql, toolCallId });
  }

  async #tellFiltered(): Promise<void> {
    const message = "The provider's content filter has cut the answer short. Ask in other words.";
    await this.#options.emit("notice", { level: "warning", message });
  }

  async #beginTurn(): Promise<void> {
    if (this.#turn && !this.#turn.assistant) return;
    await this.#endTurn();
    this.#turn = { assistant: undefined, results: [], calls: [] };
    await this.#options.emit("turn_start", {});
  }

  async #endTurn(): Promise<void> {
    const turn = this.#turn;
    this.#turn = undefined;
    if (!turn?.assistant) return;
    await this.#options.emit("turn_end", { message: turn.assistant, toolResults: turn.results });
  }

  async #beginMessage(): Promise<void> {
    await this.#beginTurn();
    const { emit, answerer } = this.#options;
    const message = emptyAssistant(answerer());
    this.#teller = new MessageTeller(message, emit);
    await emit("message_start", { message });
  }

  async #endMessage(message: AssistantMessage): Promise<void> {
    await this.#teller?.flush();
    this.#teller = undefined;
    if (this.#turn) {
      this.#turn.assistant = message;
      this.#turn.calls = message.content.flatMap((block): OpenCall[] =>
        block.type !== "toolCall" ? [] : [{
          toolCallId: block.id,
          toolName: block.name,
          args: block.arguments,
          startedAt: undefined,
        }]
      );
    }
    this.#keep(message);
    await this.#options.emit("message_end", { message });
  }

  async #beginTool(id: string): Promise<void> {
    const call = this.#turn?.calls.find(({ toolCallId }) => toolCallId === id);
    if (!call) return;
    call.startedAt = performance.now();
    const { toolCallId, toolName, args } = call;
    await this.#options.emit("tool_execution_start", { toolCallId, toolName, args });
  }

  async #endTool(end: ToolEnd): Promise<void> {
    const turn = this.#turn;
    const call = turn?.calls.find(({ toolCallId }) => toolCallId === end.toolCallId);
    if (!turn || !call) return;
    turn.calls = turn.calls.filter((each) => each !== call);
    const answer = this.#options.host?.takeAnswer(end.toolCallId);
    const result = answer ? spellHostResult(end, answer) : spellToolResult(end, {
      elapsedMs: Math.round(performance.now() - (call.startedAt ?? performance.now())),
      ...detailsOf(call),
    });
    turn.results.push(result);
    const { toolCallId, toolName, isError } = end;
    const shown = { content: result.content, details: result.details };
    await this.#options.emit("tool_execution_end", { toolCallId, toolName, result: shown, isError });
    await this.#tellWhole(result);
  }

  /** The assistant's message ends as it stands, and each call that was not answered gets an answer that says why. */
  async #break(end: Exclude<AgentEnd, { status: "completed" }>): Promise<void> {
    const [stopReason, errorMessage] = end.status === "aborted"
      ? ["aborted", "Interrupted by user"] as const
      : ["error", end.error] as const;
    const isUntold = this.#teller === undefined && this.#turn?.assistant === undefined ||
      end.status === "error" && this.#teller === undefined;
    await this.#answerOpenCalls(end.status === "aborted" ? "Cancelled" : "Not run: the run has failed");
    if (isUntold) await this.#beginMessage();
    if (this.#teller) {
      await this.#teller.flush();
      await this.#endMessage(this.#teller.growing.broken({ stopReason, errorMessage }));
      await this.#answerOpenCalls("Not run: the answer that called it did not come to its end");
    }
  }

  async #answerOpenCalls(why: string): Promise<void> {
    for (const call of this.#turn?.calls ?? []) {
      const { toolCallId, toolName, args } = call;
      const error = call.startedAt === undefined ? why : this.#stopped(call) ?? why;
      if (call.startedAt === undefined) await this.#beginTool(toolCallId);
      await this.#endTool({ toolCallId, toolName, result: toJson({ error, args }), isError: true });
    }
  }

  #stopped(call: OpenCall): string | undefined {
    return call.toolName === "execute_sql" ? "Query cancelled" : this.#options.host?.stopped(call);
  }

  async #tellWhole(message: OmpMessage): Promise<void> {
    await this.#options.emit("message_start", { message });
    this.#keep(message);
    await this.#options.emit("message_end", { message });
  }

  #keep(message: OmpMessage): void {
    this.messages.push(message);
    this.#options.keep(message);
  }
}

/** The SQL of a call and the database it named. */
function detailsOf({ toolName, args }: OpenCall): { sql?: string; database?: string } {
  if (toolName !== "execute_sql") return {};
  const value: unknown = JSON.parse(args.text);
  if (typeof value !== "object" || value === null) return {};
  const sql = "query" in value && typeof value.query === "string" ? { sql: value.query } : {};
  const named = "db_name" in value && typeof value.db_name === "string" ? { database: value.db_name } : {};
  return { ...sql, ...named };
}
