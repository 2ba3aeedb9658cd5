/**
 * `saber threads list`: the saved conversations, the latest first.
 */
import type { App, Io, Mode } from "../../app.ts";
import { limitOf } from "../limit_flag.ts";
import { printJson, printLines, printTable } from "../print.ts";

export const list: Mode = {
  usage: {
    line: "threads list [flags]",
    summary: "List the saved conversations, the latest first.",
    flags: ["database", "limit", "json"],
  },
  run,
};

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;
const MAX_TITLE = 60;

async function run(app: App, io: Io): Promise<number> {
  const { flags } = app.given;
  const limit = limitOf(flags.limit, { usual: DEFAULT_LIMIT, most: MAX_LIMIT });
  const wanted = flags.database ?? [];
  const threads = (await app.openThreads()).list(MAX_LIMIT)
    .filter(({ databases }) => wanted.length === 0 || wanted.some((name) => databases.includes(name)))
    .slice(0, limit);
  if (flags.json) {
    await printJson(
      io,
      threads.map(({ createdAt, updatedAt, ...rest }) => ({
        ...rest,
        created_at: new Date(createdAt).toISOString(),
        updated_at: new Date(updatedAt).toISOString(),
      })),
    );
  } else if (threads.length === 0) await printLines(io, ["No conversations are saved."]);
  else {
    const rows = threads.map(({ id, title, databases, updatedAt, turns }) => ({
      id,
      question: title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1).toWellFormed()}…` : title,
      databases: databases.join(", "),
      turns,
      updated: new Date(updatedAt).toISOString().slice(0, 16).replace("T", " "),
    }));
    await printTable(app, { io, columns: ["id", "question", "databases", "turns", "updated"], rows });
  }
  return 0;
}
