/**
 * What can be said to the session itself: lines that begin with a slash.
 */
import { draftHandoff } from "../../agent/handoff.ts";
import { Fault } from "../../base/fault.ts";
import { THINKING_LEVELS } from "../../settings/model.ts";
import { EXPORTED_ROWS, exporter, writeExport } from "../export/formats.ts";
import { resultRows } from "../view/result_rows.ts";
import { outcomeLines } from "../view/entry_lines.ts";
import { entriesOf } from "../view/transcript.ts";
import type { Catalog } from "./catalog.ts";
import type { Chat } from "./chat.ts";

/** What a command may do with the session around the conversation. */
export interface Around {
  readonly chat: Chat;
  readonly catalog: Catalog;
  /** Ends the session. */
  leave(): void;
  /** Puts a text where the person types, to be changed and sent. */
  offer(text: string): void;
}

export interface SlashCommand {
  /** What follows the name, for the help. */
  readonly takes?: string;
  readonly help: string;
  run(around: Around, argument: string): Promise<void> | void;
}

/** Rows that /rows shows at once. */
const PAGE = 50;

export const SLASH_COMMANDS: { readonly [name: string]: SlashCommand } = {
  "/help": { help: "Show this list.", run: help },
  "/clear": {
    help: "Begin a new conversation.",
    run: ({ chat }) => {
      chat.clear();
      chat.say("A new conversation.");
    },
  },
  "/db": { takes: "[NAME|FILE|ADDRESS …]", help: "Show the databases, or go on with others.", run: database },
  "/tables": { takes: "[PATTERN]", help: "List the tables.", run: tables },
  "/rows": { takes: "[FROM]", help: "Show more rows of the latest result.", run: rows },
  "/model": { takes: "[PROVIDER:ID]", help: "Show the model, or go on with another.", run: model },
  "/thinking": { takes: "[on|off|LEVEL]", help: "Show or set how much the model reasons.", run: thinking },
  "/export": { takes: "[html|md|ipynb] [FILE]", help: "Write the conversation to a file.", run: exportChat },
  "/handoff": { takes: "GOAL", help: "Draft the first message of a new conversation.", run: handoff },
  "/exit": { help: "Leave (also Ctrl+D).", run: ({ leave }) => leave() },
  "/quit": { help: "Leave.", run: ({ leave }) => leave() },
};

function help({ chat }: Around): void {
  for (const [name, { takes, help }] of Object.entries(SLASH_COMMANDS)) {
    chat.say(`${`${name} ${takes ?? ""}`.padEnd(32)} ${help}`);
  }
  chat.say("@ and Tab complete tables and columns; Alt+Enter begins a new line; Ctrl+C stops a run.");
}

async function database({ chat, catalog }: Around, argument: string): Promise<void> {
  const selectors = argument.split(/\s+/).filter((word) => word !== "");
  if (selectors.length > 0) {
    await chat.reopen(selectors);
    catalog.forget();
  }
  chat.showTitle();
}

async function tables({ chat, catalog }: Around, argument: string): Promise<void> {
  const found = (await catalog.tables()).filter(({ name }) => name.includes(argument));
  if (found.length === 0) return chat.say("There is no such table.");
  const rows = found.map(({ database, name, kind }) => JSON.stringify({ table: name, kind, database }));
  const shown = { columns: ["table", "kind", "database"], rows, note: `${rows.length} tables` };
  const { screen, paint } = chat;
  screen.commit(await outcomeLines({ kind: "rows", rows: shown }, { columns: screen.columns, paint }));
}

async function rows({ chat }: Around, argument: string): Promise<void> {
  const latest = chat.session.messages.findLast((message) =>
    message.role === "toolResult" && message.queryResult
  );
  const result = latest?.role === "toolResult" ? latest.queryResult : undefined;
  if (!result) return chat.say("There is no result yet.");
  const from = argument === "" ? 1 : Number(argument);
  if (!Number.isInteger(from) || from < 1) throw new Fault("usage", "FROM is the number of a row, from 1.");
  const { id, columns, rowCount } = result;
  const shown = await Array.fromAsync(resultRows(chat.shelf, { id, offset: from - 1, limit: PAGE }));
  const last = from - 1 + shown.length;
  const next = last < rowCount ? `; /rows ${last + 1} shows more` : "";
  const { screen, paint } = chat;
  const note = `rows ${from} to ${last} of ${rowCount}${next}`;
  screen.commit(
    await outcomeLines({ kind: "rows", rows: { columns, rows: shown, note } }, {
      columns: screen.columns,
      paint,
    }),
  );
}

async function model({ chat }: Around, argument: string): Promise<void> {
  if (argument !== "") chat.session.setModel(await chat.app.chooseModel(argument));
  chat.say(`The model is ${chat.session.model.id}.`);
}

function thinking({ chat }: Around, argument: string): void {
  const { session } = chat;
  const wanted = argument === "on" ? "medium" : argument;
  const level = THINKING_LEVELS.find((each) => each === wanted);
  if (argument !== "" && !level) {
    throw new Fault("usage", `There is no level '${argument}'. There are on, ${THINKING_LEVELS.join(", ")}.`);
  }
  if (level) session.setThinkingLevel(level);
  chat.say(`Thinking: ${session.thinkingLevel}.`);
}

async function exportChat({ chat }: Around, argument: string): Promise<void> {
  const [format = "html", file] = argument.split(/\s+/).filter((word) => word !== "");
  const write = exporter(format);
  const { session, shelf, thread, databases } = chat;
  const [first] = session.messages;
  if (first?.role !== "user") return chat.say("There is nothing to export yet.");
  const about = {
    id: thread.id ?? "not-saved",
    title: first.content,
    databases: databases.list.map(({ name }) => name),
    model: session.model.id,
    updatedAt: Date.now(),
  };
  const entries = await Array.fromAsync(entriesOf(session.messages, { shelf, maxRows: EXPORTED_ROWS }));
  const path = file ?? `thread-${about.id}.${format}`;
  await writeExport(path, await write({ about, entries }));
  chat.say(`Wrote ${path}.`);
}

async function handoff({ chat, offer }: Around, goal: string): Promise<void> {
  if (goal === "") throw new Fault("usage", "What for? Write /handoff and the goal of the new conversation.");
  const { session } = chat;
  if (session.messageCount === 0) return chat.say("There is nothing to hand over yet.");
  chat.screen.show({ status: "drafting …" });
  try {
    const draft = await draftHandoff({
      model: session.model,
      messages: session.messages,
      goal,
      signal: chat.stop,
    });
    chat.clear();
    chat.say("A new conversation. Change its first message as you like, and send it.");
    offer(draft);
  } finally {
    chat.screen.show({ status: "" });
  }
}
