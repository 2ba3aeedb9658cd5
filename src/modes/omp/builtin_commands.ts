/**
 * The commands of a prompt that are answered without the model: the databases, the plan, the session, the settings.
 */
import { Fault } from "../../base/fault.ts";
import { showDatabases } from "./announce.ts";
import { APPROVAL_MODES, THINKING_WORDS, thinkingWord } from "./command_line.ts";
import { userMessages } from "./conversation.ts";
import type { Desk } from "./desk.ts";
import { planLines } from "./display.ts";
import { exportHtml } from "./export_html.ts";
import { handOff } from "./handoff.ts";
import type { SlashCommand } from "./slash_commands.ts";
import { textOf } from "./messages.ts";
import { branchAt } from "./session_commands.ts";
import { nameSession } from "./session_name.ts";
import { stateOf, statsOf } from "./state.ts";
import { useLevel, useModel } from "./state_commands.ts";

/** `desk`: known when a command is run. */
export function builtinCommands(desk: () => Desk): SlashCommand[] {
  return [
    ...databaseCommands(desk),
    ...sessionCommands(desk),
    ...historyCommands(desk),
    ...settingCommands(desk),
  ];
}

function databaseCommands(desk: () => Desk): SlashCommand[] {
  return [
    {
      name: "db",
      description: "Show the databases",
      run: () =>
        desk().databases.list.map(({ name, displayName, description }) =>
          `${name} (${displayName})${description === null ? "" : `: ${description}`}`
        ).join("\n"),
    },
    {
      name: "tables",
      description: "List the tables of all databases",
      hint: "[part of the name]",
      isSlow: true,
      run: async (part, signal) => {
        const { databases } = desk();
        const lists = await Promise.all(databases.list.map(async ({ name }) => {
          const tables = await (await databases.get(name)).tables({ signal });
          return tables.map((table) => `${name}  ${table.schema}.${table.name}  ${table.kind}`);
        }));
        const found = lists.flat().filter((line) => line.toLowerCase().includes(part.toLowerCase()));
        return found.length === 0 ? "There are no such tables." : found.join("\n");
      },
    },
    {
      name: "schema",
      description: "Show the columns and keys of a table",
      hint: "TABLE",
      isSlow: true,
      run: async (table, signal) => {
        const args = { ...database(desk()), ...(table === "" ? {} : { table_pattern: table }) };
        return (await desk().toolbox.call("introspect_schema", args, { signal, callId: "schema" })).json;
      },
    },
    {
      name: "sql",
      description: "Run one statement without the model; with edit it can be changed first",
      hint: "[edit] [@DATABASE] SELECT …",
      isSlow: true,
      run: async (given, signal) => {
        const [, draft] = /^edit\b\s*([^]*)$/.exec(given) ?? [];
        if (draft === undefined) return await runSql(desk(), { text: given, signal });
        const text = await desk().dialogs.edit("Edit the statement", { prefill: draft, signal });
        return text === undefined ? "Nothing was run." : await runSql(desk(), { text, signal });
      },
    },
    {
      name: "query",
      description: "Run a query that was kept for later, or list them",
      hint: "[NAME [@DATABASE]]",
      isSlow: true,
      run: async (given, signal) => {
        const [name = "", database = ""] = given.split(/\s+/);
        const text = await desk().documents.read(`sql/${name}`, { signal, callId: "query" });
        if (name === "") return text === "" ? "No query is kept for later." : text;
        return await runSql(desk(), { text: `${database} ${text}`.trim(), signal });
      },
    },
    {
      name: "result",
      description: "Show the first rows of a stored result",
      hint: "RESULT_ID",
      run: async (id) => {
        const { rows, result } = await desk().shelf.results.page(id, { offset: 0, limit: 50 });
        const count = `${result.rowCount} ${result.rowCount === 1 ? "row" : "rows"}`;
        return [`${count}: ${result.columns.join(", ")}`, ...rows].join("\n");
      },
    },
  ];
}

/** The database of this name, else the primary one, where it has to be said. Throws Fault `unknown_database`. */
function database({ databases }: Desk, name = databases.list[0]?.name): { db_name?: string } {
  const names = databases.list.map((each) => each.name);
  if (name !== undefined && !names.includes(name)) {
    throw new Fault(
      "unknown_database",
      `Cannot use the database ${name}: there is only ${names.join(", ")}.`,
    );
  }
  return name !== undefined && names.length > 1 ? { db_name: name } : {};
}

/** What it answers becomes part of the conversation, like the output of a shell command. */
async function runSql(desk: Desk, { text, signal }: { text: string; signal: AbortSignal }): Promise<string> {
  const [, name, query = ""] = /^(?:@(\S+)\s+)?([^]*)$/.exec(text) ?? [];
  if (query.trim() === "") throw new Fault("bad_request", "Usage: /sql [@DATABASE] SELECT …");
  const args = { query, ...database(desk, name) };
  const { json } = await desk.toolbox.runForUser(args, signal);
  desk.conversation.add({
    role: "custom",
    customType: "sql",
    content: [{ type: "text", text: `The user ran this SQL: ${query}\n\nIt answered:\n${json}` }],
    display: true,
    timestamp: Date.now(),
  });
  return json;
}

function sessionCommands(desk: () => Desk): SlashCommand[] {
  return [
    {
      name: "session",
      description: "Show where the session is kept and what it cost",
      run: () => shown(statsOf(desk())),
    },
    {
      name: "context",
      description: "Show how full the model's context is",
      run: () => shown({ contextUsage: statsOf(desk()).contextUsage }),
    },
    { name: "usage", description: "Show tokens and statements", run: () => shown(statsOf(desk())) },
    {
      name: "rename",
      description: "Give the session a name",
      hint: "NAME",
      run: async (name) => `The session is called ${await nameSession(desk(), name)}.`,
    },
    {
      name: "todo",
      description: "Show the plan",
      run: () => {
        const lines = planLines(desk().todos.phases);
        return lines.length === 0 ? "There is no plan." : lines.join("\n");
      },
    },
    {
      name: "compact",
      description: "Sum the older part of the conversation up",
      hint: "[what to keep]",
      isSlow: true,
      run: async (instructions) => {
        const { conversation } = desk();
        conversation.requireReady();
        return (await conversation.compactor.compact(instructions)).summary;
      },
    },
    {
      name: "export",
      description: "Write the session to an HTML file",
      hint: "[PATH]",
      isSlow: true,
      run: async (path) => `Written to ${await exportHtml(desk(), path === "" ? undefined : path)}`,
    },
    {
      name: "handoff",
      description: "Go on in a new session with a briefing",
      hint: "[what matters]",
      isSlow: true,
      run: async (instructions) => {
        await handOff(desk(), instructions === "" ? undefined : instructions);
        return "A new session goes on with the briefing.";
      },
    },
  ];
}

function historyCommands(desk: () => Desk): SlashCommand[] {
  return [
    {
      name: "retry",
      description: "Ask again for an answer that failed or was stopped",
      run: () => "",
      begin: () => {
        const { conversation } = desk();
        const last = conversation.tree.messages().at(-1);
        const isOpen = last?.role === "assistant"
          ? /error|aborted/.test(last.stopReason)
          : last?.role === "user";
        if (!isOpen) throw new Fault("bad_state", "Nothing to retry: the last answer is whole.");
        return conversation.accept([]);
      },
    },
    {
      name: "branch",
      description: "Ask an earlier question differently, in a session of its own",
      hint: "[ENTRY_ID]",
      isSlow: true,
      run: async (id) => {
        const { conversation, dialogs } = desk();
        const lines = userMessages(conversation.tree).map(({ entryId, message }) =>
          `${entryId}  ${textOf(message.content).split("\n", 1)[0]}`
        );
        if (id === "") return lines.length === 0 ? "Nothing was asked yet." : lines.join("\n");
        const { text } = await branchAt(desk(), id);
        await dialogs.show("set_editor_text", { text });
        return "A new session holds all that came before the question.";
      },
    },
    {
      name: "knowledge",
      description: "Show what was written down about the first database",
      hint: "[words to look for]",
      isSlow: true,
      run: async (query) => {
        const { app, databases } = desk();
        const base = await app.openKnowledge();
        const name = databases.list[0]?.name ?? "";
        const found = query === "" ? await base.entries(name) : await base.search(name, { query, limit: 10 });
        return found.length === 0
          ? `Nothing is written down about ${name}.`
          : found.map((entry) => `${entry.name}: ${entry.description}`).join("\n");
      },
    },
  ];
}

function settingCommands(desk: () => Desk): SlashCommand[] {
  return [
    {
      name: "model",
      description: "Show or choose the model",
      hint: "[PROVIDER:ID]",
      run: async (id) => {
        if (id !== "") await useModel(desk(), id.replace(/^([\w.-]+)\/(?=[^:]*$)/, "$1:"));
        const { session, emit } = desk().conversation;
        if (id !== "") await emit("config_update", { model: session.model.id });
        return session.model.id || "No model is selected.";
      },
    },
    {
      name: "thinking",
      description: "Show or choose how much the model thinks",
      hint: `[${THINKING_WORDS.join("|")}]`,
      run: async (word) => {
        const level = thinkingWord(word);
        if (word !== "" && level === undefined) {
          throw new Fault("bad_request", `level must be one of: ${THINKING_WORDS.join(", ")}`);
        }
        if (level !== undefined) {
          await useLevel(desk(), level);
          await desk().conversation.emit("config_update", { thinkingLevel: level });
        }
        return desk().thinkingLevel;
      },
    },
    {
      name: "approval",
      description: "Show or choose which statements ask before they run",
      hint: `[${APPROVAL_MODES.join("|")}]`,
      run: async (word) => {
        const mode = APPROVAL_MODES.find((each) => each === word);
        if (mode !== undefined) desk().approvals.mode = mode;
        await showDatabases(desk());
        return desk().approvals.mode;
      },
    },
    {
      name: "widget",
      description: "Show the running statement and the plan in panels of the host, or do not",
      hint: "[on|off]",
      run: async (word) => {
        const { display } = desk();
        if (word === "on" || word === "off") await display.setPanels(word === "on");
        return display.hasPanels ? "on" : "off";
      },
    },
    {
      name: "tools",
      description: "List what the model may do",
      run: () => desk().toolbox.specs().map(({ name, description }) => `${name}: ${description}`).join("\n"),
    },
    {
      name: "state",
      description: "Show the state of the session",
      run: () => shown({ ...stateOf(desk()), systemPrompt: undefined, dumpTools: undefined }),
    },
    {
      name: "help",
      description: "List these commands",
      run: () =>
        desk().slash.list().map(({ name, description, input }) =>
          `/${name}${input ? ` ${input.hint}` : ""}  ${description}`
        ).join("\n"),
    },
  ];
}

function shown(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
