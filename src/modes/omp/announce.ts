/**
 * Tells a host what is to be known of a session that begins: which commands a prompt may begin with, and its title.
 */
import type { Desk } from "./desk.ts";
import { showTitle } from "./session_name.ts";

/** Reads the saved prompts again; tells of the commands if that changed them. */
export async function refreshCommands(desk: Desk): Promise<void> {
  if (await desk.savedPrompts.load()) await announce(desk);
}

export async function announce(
  desk: Pick<Desk, "app" | "conversation" | "dialogs" | "slash">,
): Promise<void> {
  await desk.conversation.emit("available_commands_update", { commands: desk.slash.list() });
  await showTitle(desk);
}
