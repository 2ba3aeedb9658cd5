/**
 * What the session is called: noted in it, told to the host, and shown as a title where the host wants titles.
 */
import { Fault } from "../../base/fault.ts";
import type { Desk } from "./desk.ts";

type Named = Pick<Desk, "app" | "conversation" | "dialogs">;

/** Throws Fault `bad_request` for a name of nothing. */
export async function nameSession(desk: Named, given: string): Promise<string> {
  const name = given.trim();
  if (name === "") throw new Fault("bad_request", "Session name cannot be empty");
  const { tree, emit } = desk.conversation;
  tree.append({ type: "session_info", name });
  await emit("session_info_update", { title: name, sessionId: tree.header.id });
  await showTitle(desk);
  return name;
}

/** Most hosts have no place for a title; those that have say so in the environment. */
export async function showTitle({ app, conversation, dialogs }: Named): Promise<void> {
  const { name } = conversation.tree;
  const isWanted = /^(1|true|yes|on)$/i.test(app.config.environment.PI_RPC_EMIT_TITLE ?? "");
  if (isWanted && name !== undefined) await dialogs.show("setTitle", { title: name });
}
