/**
 * Tells a host what is to be known of a session that begins: which commands a prompt may begin with, its title, and what
 * may be shown in passing.
 */
import type { Desk } from "./desk.ts";
import { planLines } from "./display.ts";
import { showTitle } from "./session_name.ts";
import { contextUsage } from "./context_usage.ts";

/** Reads the saved prompts again; tells of the commands if that changed them. */
export async function refreshCommands(desk: Desk): Promise<void> {
  if (await desk.savedPrompts.load()) await announce(desk);
}

export async function announce(desk: Desk): Promise<void> {
  await showDatabases(desk);
  await showTokens(desk);
  await desk.display.panel("todo", planLines(desk.todos.phases));
  await desk.conversation.emit("available_commands_update", { commands: desk.slash.list() });
  await showTitle(desk);
}

/** Which databases they are, and what may be done to them. */
export async function showDatabases({ app, approvals, databases, display }: Desk): Promise<void> {
  const changes = app.config.access === "read" ? "read-only" : CHANGES[approvals.mode];
  await display.status("db", `${databases.list.map(({ name }) => name).join(", ")} · ${changes}`);
}

const CHANGES = {
  "always-ask": "changes ask first",
  write: "larger changes ask first",
  yolo: "changes do not ask",
} as const;

/** From here on it is worth a word how full the model's context is. */
const WORTH_TELLING = 1000;

/** How full the model's context is, in thousands: a figure that changes with each word is of no use to anybody. */
export async function showTokens({ conversation, display }: Desk): Promise<void> {
  const { tokens, contextWindow, percent } = contextUsage(
    conversation.session,
    conversation.tree.messages(),
  );
  const thousands = (count: number) => `${Math.round(count / 1000)} k`;
  const text = `${thousands(tokens)} of ${thousands(contextWindow)} tokens (${Math.round(percent)} %)`;
  await display.status("tokens", tokens < WORTH_TELLING ? undefined : text);
}
