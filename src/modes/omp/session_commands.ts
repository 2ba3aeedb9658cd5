/**
 * The commands about sessions: new ones, others, branches, names, what is written of them.
 */
import { Fault } from "../../base/fault.ts";
import { type Json, RawJson, toJson } from "../../base/json.ts";
import { command, type Commands } from "../../wire/dispatch.ts";
import { announce } from "./announce.ts";
import { thinkingWord } from "./command_line.ts";
import { userMessages } from "./conversation.ts";
import type { Desk } from "./desk.ts";
import type { AnyPlace } from "./entries.ts";
import { exportHtml } from "./export_html.ts";
import { handOff } from "./handoff.ts";
import { adoptResults } from "./held_results.ts";
import { textOf } from "./messages.ts";
import {
  Branch,
  Enabled,
  ExportHtml,
  GetEntries,
  Instructions,
  NewSession,
  Nothing,
  SetSessionName,
  SwitchSession,
} from "./schemas.ts";
import { nameSession } from "./session_name.ts";
import { tellOfOtherDatabases } from "./session_databases.ts";
import type { SessionTree } from "./session_tree.ts";
import { staysWritten } from "./stays_written.ts";
import { useLevel, useModel } from "./state_commands.ts";

export function sessionCommands(desk: Desk): Commands {
  const { sessions } = desk;
  return {
    new_session: command({
      params: NewSession,
      lane: "urgent",
      run: async ({ parentSession }) =>
        await change(desk, () => {
          const parent = parentSession ? { parentSession } : {};
          return Promise.resolve({ tree: sessions.fresh(parent), result: { cancelled: false } });
        }),
    }),
    switch_session: command({
      params: SwitchSession,
      lane: "urgent",
      run: async ({ sessionPath }) => {
        const path = sessionPath.startsWith("/") ? sessionPath : `${desk.cwd}/${sessionPath}`;
        await sessions.open(path); // before anything is stopped
        const done = await change(desk, async () => ({
          tree: await sessions.open(path),
          result: { cancelled: false },
        }));
        await restore(desk);
        return done;
      },
    }),
    ...branchCommands(desk),
    set_session_name: command({
      params: SetSessionName,
      run: async ({ name }) => {
        await nameSession(desk, name);
        return undefined;
      },
    }),
    export_html: command({
      params: ExportHtml,
      lane: "urgent",
      run: async ({ outputPath }) => ({ path: await exportHtml(desk, outputPath ?? undefined) }),
    }),
    ...compactionCommands(desk),
  };
}

function branchCommands(desk: Desk): Commands {
  const { conversation } = desk;
  const branch = command({
    params: Branch,
    lane: "urgent",
    run: async ({ entryId }) => await branchAt(desk, entryId),
  });
  const branchMessages = command({
    params: Nothing,
    run: () => ({
      messages: userMessages(conversation.tree).map(({ entryId, message }) => ({
        entryId,
        text: textOf(message.content),
      })),
    }),
  });
  return {
    branch,
    fork: branch,
    get_branch_messages: branchMessages,
    get_fork_messages: branchMessages,
    clone: command({
      params: Nothing,
      lane: "urgent",
      run: async () =>
        await change(desk, () => {
          const { path, header } = conversation.tree;
          const tree = desk.sessions.fresh({
            parentSession: path ?? header.id,
            entries: conversation.tree.branch(),
          });
          return Promise.resolve({ tree, result: { cancelled: false } });
        }),
    }),
    get_entries: command({
      params: GetEntries,
      run: ({ since }) => {
        const all = conversation.tree.all;
        const from = since ? all.findIndex(({ id }) => id === since) + 1 : 0;
        return { entries: all.slice(from).map(entryJson), leafId: conversation.tree.leaf };
      },
    }),
    get_tree: command({
      params: Nothing,
      run: () => ({ tree: treeOf(conversation.tree.all), leafId: conversation.tree.leaf }),
    }),
  };
}

/**
 * Each entry with those that follow it; an entry whose parent is not there is a root. Made from the leaves on, as text: a
 * long conversation is nested deeper than a stack.
 */
function treeOf(entries: readonly AnyPlace[]): RawJson {
  const known = new Set(entries.map(({ id }) => id));
  const children = new Map<string, string>();
  for (const entry of entries.toReversed()) {
    const parent = entry.parentId !== null && known.has(entry.parentId) ? entry.parentId : "";
    const node = `{"entry":${toJson(entryJson(entry))},"children":[${children.get(entry.id) ?? ""}]}`;
    const later = children.get(parent);
    children.set(parent, later === undefined ? node : `${node},${later}`);
  }
  return new RawJson(`[${children.get("") ?? ""}]`);
}

function entryJson(entry: AnyPlace): Json {
  return entry.type === "foreign" ? new RawJson(entry.line) : { ...entry };
}

function compactionCommands(desk: Desk): Commands {
  const { conversation } = desk;
  return {
    compact: command({
      params: Instructions,
      lane: "urgent",
      run: async ({ customInstructions }) => {
        conversation.requireModel();
        if (conversation.isStreaming) await conversation.abort({ resumes: false });
        return { ...await conversation.compactor.compact(customInstructions ?? undefined) };
      },
    }),
    set_auto_compaction: command({
      params: Enabled,
      run: ({ enabled }) => {
        conversation.compactor.isAutomatic = enabled;
        return undefined;
      },
    }),
    handoff: command({
      params: Instructions,
      lane: "urgent",
      run: async ({ customInstructions }) => {
        const handed = await handOff(desk, customInstructions ?? undefined);
        await announce(desk);
        return handed;
      },
    }),
  };
}

/** Everything before the message goes on in a session of its own; what was written to a database stays written. */
export async function branchAt(desk: Desk, entryId: string) {
  const { conversation, sessions } = desk;
  const { tree } = conversation;
  const found = userMessages(tree).find((each) => each.entryId === entryId);
  if (!found) throw new Fault("bad_request", "Invalid entry ID for branching");
  let written: string | undefined;
  const branched = await change(desk, () => {
    const before = tree.branch();
    const at = before.findIndex(({ id }) => id === entryId);
    const parentSession = tree.path ?? tree.header.id;
    const result = { text: textOf(found.message.content), cancelled: false };
    written = staysWritten(before.slice(at));
    return Promise.resolve({ tree: sessions.fresh({ parentSession, entries: before.slice(0, at) }), result });
  });
  if (written !== undefined) await conversation.emit("notice", { level: "warning", message: written });
  return branched;
}

async function change<Result extends Json>(
  desk: Desk,
  make: () => Promise<{ tree: SessionTree; result: Result }>,
): Promise<Result> {
  const result = await desk.conversation.exchange(make);
  desk.subagents.forget();
  desk.approvals.forget();
  await adoptResults(desk.shelf, desk.conversation.tree);
  await announce(desk);
  return result;
}

/** Model and thinking level as the session has them, where they can be had; databases are told of, and stay. */
export async function restore(desk: Desk): Promise<void> {
  await tellOfOtherDatabases(desk);
  const { model, thinkingLevel } = desk.conversation.tree.settings;
  if (model !== undefined && model !== desk.conversation.session.model.id) {
    await useModel(desk, model).catch(async (error) => {
      await desk.conversation.emit("notice", { level: "warning", message: String(error.message) });
    });
  }
  const level = thinkingLevel === undefined ? undefined : thinkingWord(thinkingLevel);
  if (level !== undefined) await useLevel(desk, level);
}
