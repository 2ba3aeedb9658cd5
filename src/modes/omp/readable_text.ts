/**
 * A conversation as plain text: for a model that sums it up, and for the summary that is made without one.
 */
import { type OmpMessage, textOf } from "./messages.ts";
import { writtenIn } from "./stays_written.ts";

/** Characters of one message, and of all. */
const MAX_MESSAGE = 4000;
const MAX_TEXT = 400_000;

export function readableText(messages: readonly OmpMessage[]): string {
  const parts = messages.map((message) => cut(lineOf(message), MAX_MESSAGE));
  const text = parts.join("\n\n");
  return text.length <= MAX_TEXT ? text : text.slice(text.length - MAX_TEXT);
}

/** What was asked, which SQL was run and which results there are. */
export function plainSummary(messages: readonly OmpMessage[]): string {
  const asked = messages.flatMap((message) =>
    message.role === "user" ? [`- ${cut(textOf(message.content), 500)}`] : []
  );
  const before = messages.flatMap((message) => message.role === "compactionSummary" ? [message.summary] : []);
  const sql = messages.flatMap(sqlOf).map((text) => `- ${cut(text, 1000)}`);
  const written = writtenIn(messages).map((text) => `- ${cut(text, 1000)}`);
  const results = resultIdsIn(messages).map((id) => `- ${id}`);
  return [
    ...before,
    "What the user asked:",
    ...asked,
    ...(sql.length === 0 ? [] : ["SQL that was run:", ...sql]),
    ...(written.length === 0 ? [] : ["What was written to a database:", ...written]),
    ...(results.length === 0 ? [] : ["Results that are kept:", ...results]),
  ].join("\n");
}

/** Results that the conversation speaks of. */
export function resultIdsIn(messages: readonly OmpMessage[]): string[] {
  return [...new Set(readableText(messages).match(/qr_[0-9a-f]{32}/g) ?? [])];
}

/** The statements that an answer ran. */
export function sqlOf(message: OmpMessage): string[] {
  return message.role === "assistant" ? message.content.flatMap((block) => sqlOfCall(block) ?? []) : [];
}

/** Undefined for what is no call of execute_sql. */
export function sqlOfCall(block: Block): string | undefined {
  if (block.type !== "toolCall" || block.name !== "execute_sql") return undefined;
  const args: unknown = JSON.parse(block.arguments.text);
  const query = typeof args === "object" && args !== null && "query" in args ? args.query : undefined;
  return typeof query === "string" ? query : undefined;
}

function lineOf(message: OmpMessage): string {
  switch (message.role) {
    case "user":
      return `User: ${textOf(message.content)}`;
    case "assistant":
      return `Assistant: ${message.content.map(blockText).join("\n")}`;
    case "toolResult":
      return `${message.toolName} answered: ${textOf(message.content)}`;
    case "bashExecution":
      return `The user ran: ${message.command}\n${message.output}`;
    case "custom":
      return textOf(message.content);
    case "compactionSummary":
      return `Before that: ${message.summary}`;
  }
}

type Block = Extract<OmpMessage, { role: "assistant" }>["content"][number];

function blockText(block: Block): string {
  if (block.type === "toolCall") return `[calls ${block.name} with ${block.arguments.text}]`;
  return block.type === "text" ? block.text : "";
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()} …`;
}
