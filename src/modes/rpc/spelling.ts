/**
 * How the agent's events and messages are spelled in `saber rpc`: pure functions from our shapes to the contract's.
 */
import type { AgentEvent, ToolEnd, TranscriptMessage } from "../../agent/events.ts";
import type { Artifact } from "../../store/artifacts.ts";
import type { QueryResult } from "../../store/results.ts";
import type { Event, Id } from "../../wire/frame.ts";
import { argumentsJson } from "../session/arguments_json.ts";
import type {
  EventFields,
  SpelledArtifact,
  SpelledAssistant,
  SpelledBlock,
  SpelledCall,
  SpelledMessage,
  SpelledResult,
  SpelledUpdate,
} from "./contract/spelled.ts";

type AssistantMessage = Extract<TranscriptMessage, { role: "assistant" }>;
type ContentBlock = AssistantMessage["content"][number];
type ToolCall = Extract<ContentBlock, { type: "toolCall" }>;
type Update = Extract<AgentEvent, { type: "message_update" }>["update"];

/** What only the mode knows of a run. */
export interface RunFacts {
  readonly promptId: Exclude<Id, null> | undefined;
  readonly threadId: string | null;
  /** What waits to be told to the model. */
  readonly steering: readonly string[];
}

/** An agent event as an event of the protocol. */
export function spellEvent(event: AgentEvent, facts: RunFacts): Event {
  return { kind: "event", method: event.type, data: fieldsOf(event, facts) };
}

function fieldsOf(event: AgentEvent, facts: RunFacts): Event["data"] {
  switch (event.type) {
    case "agent_start":
      return { promptId: facts.promptId } satisfies EventFields<"agent_start">;
    case "queue_update":
      return { steering: facts.steering } satisfies EventFields<"queue_update">;
    case "message_start":
      return {} satisfies EventFields<"message_start">;
    case "message_update":
      return { assistantMessageEvent: spellUpdate(event.update) } satisfies EventFields<"message_update">;
    case "message_end":
      return { message: spellAssistant(event.message) } satisfies EventFields<"message_end">;
    case "sql_update":
      return { sql: event.sql, toolCallId: event.toolCallId } satisfies EventFields<"sql_update">;
    case "tool_execution_start":
      return {
        toolCallId: event.call.id,
        toolName: event.call.name,
        args: argumentsJson(event.call.argumentsText),
      } satisfies EventFields<"tool_execution_start">;
    case "tool_execution_end":
      return endOfTool(event.end);
    case "agent_end":
      return endFields(event, facts);
  }
}

function endFields(
  event: Extract<AgentEvent, { type: "agent_end" }>,
  facts: RunFacts,
): EventFields<"agent_end"> {
  switch (event.status) {
    case "aborted":
      return { status: "aborted" };
    case "error":
      return { status: "error", error: event.error };
    case "completed": {
      const { costUsd: _, ...usage } = event.turn.usage; // the contract has no member for it
      return {
        status: "completed",
        text: event.turn.text,
        messages: event.turn.messages.map(spellMessage),
        usage,
        queryResults: event.turn.queryResults.map(spellResult),
        artifacts: event.turn.artifacts.map(spellArtifact),
        threadId: facts.threadId,
      };
    }
  }
}

function endOfTool({ queryResult, artifacts, ...end }: ToolEnd): EventFields<"tool_execution_end"> {
  return { ...end, queryResult: optional(queryResult), artifacts: artifacts?.map(spellArtifact) };
}

function spellUpdate(update: Update): SpelledUpdate {
  return update.type === "toolcall_end" ? { ...update, toolCall: spellCall(update.toolCall) } : { ...update };
}

/** A message of the transcript. */
export function spellMessage(message: TranscriptMessage): SpelledMessage {
  switch (message.role) {
    case "user":
      return { ...message };
    case "assistant":
      return spellAssistant(message);
    case "toolResult": {
      const { artifacts: _, queryResult, ...rest } = message; // the transcript has no artifacts
      return { ...rest, queryResult: optional(queryResult) };
    }
  }
}

function spellAssistant(message: AssistantMessage): SpelledAssistant {
  return {
    ...message,
    content: message.content.map(spellBlock),
    usage: message.usage && { ...message.usage },
  };
}

function spellBlock(block: ContentBlock): SpelledBlock {
  switch (block.type) {
    case "text":
      return { ...block };
    case "thinking":
      return { type: block.type, thinking: block.thinking };
    case "toolCall":
      return spellCall(block);
  }
}

function spellCall(call: ToolCall): SpelledCall {
  return { type: call.type, id: call.id, name: call.name, arguments: argumentsJson(call.argumentsText) };
}

export function spellResult(result: QueryResult): SpelledResult {
  return { ...result };
}

export function spellArtifact(artifact: Artifact): SpelledArtifact {
  return { ...artifact };
}

function optional(result: QueryResult | undefined): SpelledResult | undefined {
  return result && spellResult(result);
}
