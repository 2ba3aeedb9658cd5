/**
 * Prompts: what a person may pick in a client to have the model explore a database, profile a table or write a query.
 * They name tools and open no database.
 */
import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from "@modelcontextprotocol/server";
import type { DatabaseInfo } from "../../tools/tool.ts";
import { page } from "./page.ts";

interface PromptSpec extends Pick<Prompt, "name" | "title" | "description"> {
  /** Besides `db`; required. */
  readonly argument?: { readonly name: string; readonly description: string };
  text(about: { readonly database: string; readonly value: string }): string;
}

const DB = "db";

const PROMPTS: readonly PromptSpec[] = [
  {
    name: "explore_database",
    title: "Explore a database",
    description:
      "What a database holds: its tables, how they belong together, and what could be asked of them.",
    text: ({ database }) =>
      `Find out what is in ${database}. Call list_tables, then introspect_schema for the tables that matter, a few at ` +
      "a time with table_pattern. Look at some rows of the main ones with execute_sql and LIMIT 5, and count their rows. " +
      "Then tell me, briefly: what the database is about, the main tables and how they join, the time span of the data, " +
      "what looks odd, and three questions it could answer.",
  },
  {
    name: "profile_table",
    title: "Profile a table",
    description: "The quality of one table's data: keys, missing and distinct values, ranges, outliers.",
    argument: { name: "table", description: "Table or view as list_tables gives it, e.g. main.orders" },
    text: ({ database, value }) =>
      `Profile the table ${value} of ${database}. Call introspect_schema with it as table_pattern. Then use execute_sql ` +
      "with few statements, aggregates only: the number of rows; for each column the nulls, the distinct values, the " +
      "smallest and the largest; the most frequent values of columns with few distinct ones; whether keys repeat and " +
      "foreign keys lead nowhere. Report one line a column, then what a person who uses this table should beware of.",
  },
  {
    name: "write_query",
    title: "Write a query",
    description: "One SQL statement that answers a question, written from the real schema and tried out.",
    argument: { name: "question", description: "What the query is to answer, in plain words" },
    text: ({ database, value }) =>
      `Write one SELECT statement for ${database} that answers this question:\n\n${value}\n\n` +
      "Look names and types up with list_tables and introspect_schema instead of guessing them. Run the statement with " +
      "execute_sql, and mend it when it fails or its rows cannot be right. Give me the final statement, what it returned, " +
      "and each assumption you made.",
  },
];

export function addPrompts(server: Server, databases: readonly DatabaseInfo[]): void {
  server.setRequestHandler("prompts/list", ({ params }) => {
    const { items, ...next } = page(PROMPTS, params?.cursor);
    return { prompts: items.map((spec) => toPrompt(spec, databases)), ...next };
  });
  server.setRequestHandler("prompts/get", ({ params }) => {
    const spec = findPrompt(params.name);
    if (!spec) throw invalid(`there are only ${PROMPTS.map(({ name }) => name).join(", ")}`);
    return fill(spec, { databases, args: params.arguments ?? {} });
  });
}

/** Whether a prompt has an argument of this name. */
export function hasArgument(prompt: string, argument: string): boolean {
  const spec = findPrompt(prompt);
  return spec !== undefined && (argument === DB || argument === spec.argument?.name);
}

function findPrompt(name: string): PromptSpec | undefined {
  return PROMPTS.find((each) => each.name === name);
}

function toPrompt(
  { name, title, description, argument }: PromptSpec,
  databases: readonly DatabaseInfo[],
): Prompt {
  const db = {
    name: DB,
    description: "Alias of the database; may be left out when there is one",
    required: databases.length > 1,
  };
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    arguments: argument ? [{ ...argument, required: true }, db] : [db],
  };
}

function fill(
  { name, description, argument, text }: PromptSpec,
  { databases, args }: {
    readonly databases: readonly DatabaseInfo[];
    readonly args: Readonly<Record<string, string>>;
  },
): GetPromptResult {
  const unknown = Object.keys(args).find((each) => !hasArgument(name, each));
  if (unknown !== undefined) {
    throw invalid(`${name} takes ${argument ? `${argument.name} and ` : ""}${DB} only`);
  }
  const value = argument === undefined ? "" : args[argument.name] ?? "";
  if (argument && value.trim() === "") throw invalid(`${name} needs ${argument.name}`);
  const content = { type: "text", text: text({ database: chosen(databases, args[DB]), value }) } as const;
  return {
    ...(description === undefined ? {} : { description }),
    messages: [{ role: "user", content }],
  };
}

/** The database in the words of a prompt. */
function chosen(databases: readonly DatabaseInfo[], alias: string | undefined): string {
  const [first] = databases;
  const isOnly = databases.length === 1;
  const found = (alias ?? "") === "" && isOnly ? first : databases.find(({ name }) => name === alias);
  if (!found) throw invalid(`${DB} must be one of ${databases.map(({ name }) => name).join(", ")}`);
  const which = `the ${found.displayName} database ${JSON.stringify(found.name)}`;
  return isOnly ? which : `${which} (its db_name)`;
}

function invalid(why: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid prompt: ${why}`);
}
