/**
 * Puts together what the commands work with.
 */
import { Session } from "../../agent/session.ts";
import type { App } from "../../app.ts";
import { abortable } from "../../base/abortable.ts";
import { keptKeys } from "../../settings/keys.ts";
import { readQueueModes } from "../../settings/queue_modes.ts";
import { openTools, systemOf } from "../session/open.ts";
import { showTokens } from "./announce.ts";
import { Approvals } from "./approvals.ts";
import { builtinCommands } from "./builtin_commands.ts";
import { Conversation } from "./conversation.ts";
import type { Desk } from "./desk.ts";
import { Dialogs } from "./dialogs.ts";
import { Display, planLines } from "./display.ts";
import { documentTools } from "./document_tools.ts";
import { holdingResults, keepRows } from "./held_results.ts";
import { hostSide } from "./host_side.ts";
import { HostTools } from "./host_tools.ts";
import { HostUris } from "./host_uris.ts";
import { Interrupts } from "./interrupts.ts";
import type { Emit } from "./message_teller.ts";
import { Logins } from "./login.ts";
import { Models, wordOf } from "./models.ts";
import { OmpToolbox } from "./omp_toolbox.ts";
import { OwnDocuments } from "./own_documents.ts";
import type { OwnTool } from "./own_tool.ts";
import { planTools } from "./plan_tools.ts";
import { Reminders } from "./reminders.ts";
import { SavedPrompts } from "./saved_prompts.ts";
import type { Started } from "./serve.ts";
import { noteDatabases } from "./session_databases.ts";
import type { SessionTree } from "./session_tree.ts";
import type { Sessions } from "./sessions.ts";
import { shellTool } from "./shell_tool.ts";
import { Shells } from "./shells.ts";
import { SlashCommands } from "./slash_commands.ts";
import { Subagents } from "./subagents.ts";
import { Todos } from "./todos.ts";

export async function makeDesk(
  app: App,
  { emit, ...started }: Started & { readonly emit: Emit },
): Promise<Desk> {
  const { begun, options, sessions, cwd } = started;
  const { databases, model } = begun;
  const keys = keptKeys(app.config);
  const { toolbox, shelf } = await openTools(app, begun);
  const inner = holdingResults(toolbox, { shelf, tree: () => conversation.tree });
  const hosts = hostsOf(app, { emit, cwd, options });
  const approvals = approvalsOf(options, { dialogs: hosts.dialogs, databases });
  const todos = new Todos(() => conversation.tree, {
    changed: (phases) => void hosts.display.panel("todo", planLines(phases)),
  });
  const subagents = new Subagents({
    ...{ emit, inner, log: app.log },
    session: () => session,
    answerer: () => conversation.answerer(),
    transcript: (name) => transcriptOf(sessions, { tree: conversation.tree, name }),
  });
  const documents = new OwnDocuments({
    ...{ databases, shelf, inner, todos, subagents, knowledge: () => app.openKnowledge() },
    queries: `${app.config.folders.config}/queries`,
  });
  const tools = new OmpToolbox({
    own: ownTools({
      ...{ cwd, documents, shelf, todos, subagents, approvals, ...hosts },
      tree: () => conversation.tree,
    }),
    ...{ inner, approvals, emit },
    ...{ hostTools: hosts.hostTools, interrupts: hosts.interrupts, display: hosts.display },
    allowed: options.tools,
    mayWrite: app.config.access === "write",
    defaultDatabase: databases.list[0]?.name ?? "",
  });
  const base = [systemOf(app, begun), ...(options.appendSystemPrompt ? [options.appendSystemPrompt] : [])];
  const system = () => [...base, ...describeSchemes(hosts.hostUris)].join("\n\n");
  const session = await sessionOf(app, { started, toolbox: tools, system: system() });
  const conversation: Conversation = new Conversation({
    ...{ session, tree: started.tree, log: app.log, emit, maxRunMs: options.maxRunMs },
    host: hostSide(hosts),
    nextModel: async (id) => await desk.models.next(id),
    tellsExtras: options.tellsExtras,
    reminders: new Reminders(todos, emit),
    beginning: () => noteDatabases(conversation.tree, databases),
    ending: () => showTokens(desk),
    stopOthers: () => {
      hosts.shells.abort();
      hosts.logins.stop();
      desk.slash.stop();
    },
  });
  const desk: Desk = {
    ...{
      app,
      options,
      cwd,
      databases,
      shelf,
      toolbox: tools,
      conversation,
      sessions,
      todos,
      subagents,
      approvals,
      documents,
      ...hosts,
    },
    slash: new SlashCommands(builtinCommands(() => desk), { emit, saved: hosts.savedPrompts }),
    models: new Models(app, { current: model, scope: options.models, keys, apiKey: options.apiKey }),
    keys,
    thinkingLevel: options.thinking ?? wordOf(begun.thinkingLevel),
    describeSchemes: () => session.setSystem(system()),
  };
  return desk;
}

/** The tools that only this mode has. */
function ownTools(
  { cwd, documents, shelf, todos, subagents, approvals, dialogs, hostUris, shells, tree }:
    & Pick<Desk, "cwd" | "documents" | "shelf" | "todos" | "subagents" | "approvals">
    & Pick<Desk, "dialogs" | "hostUris" | "shells">
    & { tree(): SessionTree },
): OwnTool[] {
  return [
    ...documentTools({
      ...{ cwd, documents, approvals, hostUris },
      keepRows: async (cursor, about) => await keepRows(cursor, { shelf, tree, ...about }),
    }),
    ...planTools({ todos, dialogs }),
    subagents.tool,
    shellTool({ shells, approvals }),
  ];
}

/** Who is asked before something is changed, and what they are told. */
function approvalsOf(
  { approval: mode }: Started["options"],
  { dialogs, databases }: Pick<Desk, "dialogs" | "databases">,
): Approvals {
  return new Approvals({
    mode,
    dialogs,
    touches: async ({ database, ...asked }) =>
      await (await abortable(databases.get(database), asked.signal)).touches?.(asked),
  });
}

/** What stands between the conversation and the person at the host. */
function hostsOf(app: App, { emit, cwd, options }: Pick<Started, "cwd" | "options"> & { emit: Emit }) {
  const dialogs = new Dialogs(emit);
  return {
    dialogs,
    display: new Display(dialogs, { hasPanels: options.tellsExtras }),
    hostTools: new HostTools(emit),
    hostUris: new HostUris(emit),
    interrupts: new Interrupts(),
    logins: new Logins(),
    savedPrompts: new SavedPrompts(`${app.config.folders.config}/prompts`, emit),
    shells: new Shells({
      cwd,
      environment: app.config.environment,
      inheritsSecrets: options.bashInheritsEnvironment,
    }),
  };
}

async function sessionOf(
  app: App,
  { started, toolbox, system }: { started: Started; toolbox: OmpToolbox; system: string },
): Promise<Session> {
  const { model, thinkingLevel: thinking } = started.begun;
  const session = new Session({
    ...{ model, toolbox, system, thinking, log: app.log },
    calls: "in turn",
    keepsQueue: true,
  });
  const saved = await readQueueModes(app.config.folders.config);
  session.interruptMode = saved.interruptMode ?? "immediate";
  session.queue.steeringMode = saved.steeringMode ?? "one-at-a-time";
  session.queue.followUpMode = saved.followUpMode ?? "one-at-a-time";
  return session;
}

/** A file in a folder named after the session's own. */
function transcriptOf(sessions: Sessions, { tree, name }: { tree: SessionTree; name: string }): SessionTree {
  const folder = tree.path?.replace(/\.jsonl$/, "");
  return sessions.fresh({
    parentSession: tree.path,
    ...(folder === undefined ? {} : { path: `${folder}/subagents/${name}.jsonl` }),
  });
}

/** One line for each scheme of the host. */
function describeSchemes({ schemes }: HostUris): string[] {
  return schemes.map(({ scheme, description, isWritable }) =>
    `Addresses that begin with ${scheme}:// can be read${isWritable ? " and written" : ""} with your tools` +
    `${description === undefined ? "." : `: ${description}`}`
  );
}
