/**
 * Tells a host what is to be known of a session that begins: which commands a prompt may begin with, and its title.
 */
import type { Desk } from "./desk.ts";
import { showTitle } from "./session_name.ts";

export async function announce(
  desk: Pick<Desk, "app" | "conversation" | "dialogs" | "slash">,
): Promise<void> {
  await desk.conversation.emit("available_commands_update", { commands: desk.slash.list() });
  await showTitle(desk);
}
