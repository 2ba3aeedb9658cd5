/**
 * Tells a host which commands a prompt may begin with.
 */
import type { Desk } from "./desk.ts";

export async function announce({ conversation, slash }: Pick<Desk, "conversation" | "slash">): Promise<void> {
  await conversation.emit("available_commands_update", { commands: slash.list() });
}
