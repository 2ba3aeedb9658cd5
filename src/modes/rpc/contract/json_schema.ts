/**
 * The contract of `saber rpc` as one JSON Schema: any line that may be sent or received. Members that are not named are
 * to be ignored by either side.
 */
import * as z from "zod/mini";
import { Command } from "./commands.ts";
import { AgentEnd, Event, MessageUpdate } from "./events.ts";
import { AssistantMessage, ContentBlock, ToolCall, TranscriptMessage } from "./messages.ts";
import { Failure, Queued, Response, ResultPage, Success } from "./responses.ts";
import { Artifact, Id, QueryResult, RunUsage, State, Table, Usage } from "./shapes.ts";

const DEFINITIONS = {
  Command: [Command, "A line that a host sends. The one response to it has the same id."],
  Response: [Response, "The answer to a command."],
  Success: [Success, "What a command answers when it succeeds; data is absent where a command has none."],
  Failure: [
    Failure,
    "Why a command was not done. command is parse for a line that is no command, startup for a failed start.",
  ],
  Event: [Event, "What happens: ready once, first of all; then the events of runs, which carry no id."],
  Id: [Id, "Chosen by the host."],
  State: [
    State,
    "The session. database.type is PostgreSQL, MySQL, SQLite or DuckDB; messageCount counts the committed transcript.",
  ],
  Queued: [Queued, "A message that waits for the next request to the model."],
  ResultPage: [
    ResultPage,
    "Rows of a stored result. Numbers have all their digits; nan, inf and -inf are strings.",
  ],
  AgentEnd: [AgentEnd, "The last event of a run. Only a completed one is committed."],
  MessageUpdate: [
    MessageUpdate,
    "A piece of the message that streams. The delta of a tool call is raw JSON text.",
  ],
  TranscriptMessage: [
    TranscriptMessage,
    "One message of the conversation; timestamps are epoch milliseconds.",
  ],
  AssistantMessage: [AssistantMessage, "One answer of the model; a run has one for each request."],
  ContentBlock: [ContentBlock, "A part of an assistant message."],
  ToolCall: [ToolCall, "A tool that the model calls."],
  Usage: [Usage, "Tokens of one request; what the provider did not tell is absent."],
  RunUsage: [RunUsage, "Sums of a run; contextTokens is the size of its last request."],
  QueryResult: [QueryResult, "A stored result, of which get_query_result reads rows; size in bytes."],
  Artifact: [Artifact, "A file that a tool made; size in bytes."],
  Table: [Table, "A table or view of a database."],
} as const satisfies { readonly [id: string]: readonly [schema: z.ZodMiniType, description: string] };

/** JSON text, indented. */
export function contractSchema(): string {
  const metadata = z.registry<{ id: string; description: string }>();
  for (const [id, [schema, description]] of Object.entries(DEFINITIONS)) {
    metadata.add(schema, { id, description });
  }
  const schema = z.toJSONSchema(z.union([Command, Response, Event]), {
    metadata,
    io: "input",
    override: ({ jsonSchema }) => {
      // Integers are not bound to what a double holds.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.multipleOf !== 1) return;
      delete jsonSchema.multipleOf;
      jsonSchema.type = "integer";
    },
  });
  const { $schema, ...rest } = schema;
  return `${JSON.stringify({ $schema, title: "saber rpc, protocol version 1", ...rest }, undefined, 2)}\n`;
}
