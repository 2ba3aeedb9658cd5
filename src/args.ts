/**
 * The command line as data: every flag once, what parses them, and the help text made from them.
 * It decides nothing; defaults are config.ts's. Parsing is Node's own parseArgs, which starts three times as fast
 * here as a package would.
 */
import { parseArgs } from "node:util";
import { Fault } from "./base/fault.ts";
import { mayHoldPassword, shown } from "./base/shown.ts";

interface FlagSpec {
  readonly type: "string" | "boolean";
  readonly help: string;
  readonly short?: string;
  readonly multiple?: boolean;
  /** The placeholder of the value in the help. */
  readonly value?: string;
}

const FLAGS = {
  database: {
    type: "string",
    short: "d",
    multiple: true,
    value: "NAME|FILE|DSN",
    help: "Saved connection, database or data file, or DSN. Repeatable; the default connection if left out.",
  },
  model: {
    type: "string",
    value: "PROVIDER:ID",
    help: "The model to ask, for example openai:gpt-5 or ollama:qwen3.",
  },
  "key-file": {
    type: "string",
    value: "FILE",
    help: "A file with the API key of the model's provider; else the environment, or what 'auth setup' kept.",
  },
  timeout: {
    type: "string",
    value: "SECONDS",
    help: "How long a statement may take until its first row (30).",
  },
  thread: { type: "string", value: "ID", help: "Go on with a saved thread." },
  continue: { type: "boolean", short: "c", help: "Go on with the latest saved thread." },
  "no-thread": { type: "boolean", help: "Keep nothing of the conversation." },
  thinking: { type: "boolean", help: "Let the model reason before it answers; --no-thinking turns it off." },
  "no-thinking": { type: "boolean", help: "Turn reasoning off." },
  "allow-dangerous": { type: "boolean", help: "Allow INSERT, UPDATE, DELETE and some DDL." },
  "system-prompt": {
    type: "string",
    value: "TEXT|FILE",
    help: "Replace the built-in system prompt by this text, or by what is in this file.",
  },
  "csv-tool-results": {
    type: "boolean",
    help: "Give tables in tool results to the model as CSV instead of JSON.",
  },
  "no-csv-tool-results": { type: "boolean", help: "Give them as JSON, the default." },
  file: { type: "string", short: "f", value: "FILE", help: "Read the statement from this file." },
  output: {
    type: "string",
    value: "FORM",
    help: "How rows are printed: table, json, jsonl, csv or markdown.",
  },
  explain: { type: "boolean", help: "Show how the database would run the statement, without running it." },
  yes: { type: "boolean", help: "Ask nothing: yes to every question." },
  dir: {
    type: "string",
    value: "FOLDER",
    help: "Where the host looks for plugins, if not in its usual place.",
  },
  driver: {
    type: "string",
    value: "ID",
    help: "The driver to be, for example saber-postgres, where a request names none.",
  },
  json: { type: "boolean", help: "Print JSON for programs." },
  type: {
    type: "string",
    short: "t",
    value: "TYPE",
    help: "postgresql, mysql, sqlite, duckdb or csv; known by itself for files and addresses.",
  },
  host: { type: "string", value: "HOST", help: "The server (localhost)." },
  port: {
    type: "string",
    short: "p",
    value: "PORT",
    help:
      "The server's port (5432, MySQL 3306); of saber mcp over HTTP, its own (8000; 0: any that is free).",
  },
  username: { type: "string", short: "u", value: "NAME", help: "The user at the server." },
  "password-stdin": { type: "boolean", help: "Read the password from stdin." },
  "ssl-mode": {
    type: "string",
    value: "MODE",
    help: "How the connection is encrypted: require, verify-full …",
  },
  "ssl-ca": { type: "string", value: "FILE", help: "The authority's certificate." },
  "ssl-cert": { type: "string", value: "FILE", help: "The client's certificate." },
  "ssl-key": { type: "string", value: "FILE", help: "The client's key." },
  "exclude-schemas": { type: "string", value: "A,B", help: "Schemas to hide from lists of tables." },
  description: { type: "string", value: "TEXT", help: "What the database is about, for the agent." },
  "no-interactive": { type: "boolean", help: "Ask nothing." },
  "base-url": { type: "string", value: "URL", help: "Where the API of the server begins." },
  adapter: {
    type: "string",
    value: "API",
    help: "What it speaks: chat (the default), responses or anthropic.",
  },
  "key-variable": { type: "string", value: "NAME", help: "The environment variable with its API key." },
  context: { type: "string", value: "TOKENS", help: "How much the model holds." },
  set: { type: "string", value: "A,B", help: "Hide these." },
  add: { type: "string", value: "A,B", help: "Hide these too." },
  remove: { type: "string", value: "A,B", help: "Show these again." },
  clear: { type: "boolean", help: "Hide none." },
  limit: {
    type: "string",
    short: "n",
    value: "N",
    help: "How many at most (conversations: 50, findings: 10).",
  },
  days: { type: "string", short: "n", value: "N", help: "After how many days (30)." },
  format: { type: "string", value: "FORMAT", help: "html (the default), md or ipynb." },
  out: { type: "string", short: "o", value: "FILE", help: "Where to write (thread-ID.FORMAT); - is stdout." },
  transport: {
    type: "string",
    value: "stdio|http",
    help: "How clients connect: over stdin and stdout (the default), or over HTTP on this machine.",
  },
  sql: { type: "string", value: "STATEMENT", help: "A statement that shows it." },
  source: { type: "string", value: "TEXT", help: "Where it comes from." },
  check: { type: "boolean", help: "Ask which release is the newest, and change nothing." },
  force: { type: "boolean", short: "f", help: "Do not ask." },
  schema: { type: "boolean", help: "Print the protocol as JSON Schema." },
  help: { type: "boolean", short: "h", help: "Show this help." },
  version: { type: "boolean", help: "Show the version." },
} as const satisfies Record<string, FlagSpec>;

export type FlagName = keyof typeof FLAGS;

/** The value of each flag that was given. */
export type Flags = {
  readonly [Name in FlagName]?: (typeof FLAGS)[Name] extends { multiple: true } ? readonly string[]
    : (typeof FLAGS)[Name] extends { type: "string" } ? string
    : boolean;
};

/** What a command takes, for parsing and for its help. */
export interface Usage {
  /** Without the program's name: `rpc [flags]`; its lower-case words are the command. */
  readonly line: string;
  readonly summary: string;
  readonly flags: readonly FlagName[];
  /** How many words may stand beside the flags; none when left out. */
  readonly words?: number;
}

/** What was given to a command. */
export interface Given {
  readonly flags: Flags;
  readonly words: readonly string[];
}

/** Flags that every command has. */
const COMMON: readonly FlagName[] = ["help", "version"];

/** `--mode rpc` and `--mode=rpc` may stand anywhere among the arguments; they are brought to the front. */
export function modeFirst(args: readonly string[]): readonly string[] {
  const at = args.findIndex((arg, n) => arg === "--mode=rpc" || (arg === "--mode" && args[n + 1] === "rpc"));
  if (at < 0) return args;
  return ["--mode", "rpc", ...args.slice(0, at), ...args.slice(at + (args[at] === "--mode" ? 2 : 1))];
}

/** The flags and words of one command. Throws Fault `usage` with a sentence for the terminal. */
export function parseCommand(args: readonly string[], usage: Usage): Given {
  const names = [...usage.flags, ...COMMON];
  const most = usage.words ?? 0;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: Object.fromEntries(names.map((name) => [name, optionOf(name)])),
      strict: true,
      allowPositionals: true,
    });
    const unexpected = positionals[most];
    if (unexpected === undefined) return { flags: values, words: positionals };
    throw new Error(`Unexpected argument ${shown(unexpected)}`);
  } catch (error) {
    const why = error instanceof Error ? error.message.split(/[.\n]/, 1)[0] ?? "" : "";
    const told = why === "" || mayHoldPassword(why) ? "The flags cannot be read" : why;
    throw new Fault("usage", `${told}. Run 'saber ${commandOf(usage)}--help' for what it takes.`);
  }
}

/** The words of the command, each with a space behind it; none for a question. */
function commandOf({ line }: Usage): string {
  return /^(?:[a-z-]+ )*/.exec(`${line} `)?.[0] ?? "";
}

function optionOf(name: FlagName): { type: "string" | "boolean"; short?: string; multiple?: boolean } {
  const flag: FlagSpec = FLAGS[name];
  return {
    type: flag.type,
    ...(flag.short ? { short: flag.short } : {}),
    ...(flag.multiple ? { multiple: true } : {}),
  };
}

/** What people are told of a flag. */
export interface FlagInfo {
  readonly name: string;
  readonly short?: string;
  /** The placeholder of its value; a flag without one takes none. */
  readonly value?: string;
  readonly help: string;
}

/** The flags of a command, those that every command has last. */
export function describeFlags(usage: Usage): readonly FlagInfo[] {
  return [...usage.flags, ...COMMON].map((name) => {
    const { short, value, help }: FlagSpec = FLAGS[name];
    return { name, help, ...short ? { short } : {}, ...value ? { value } : {} };
  });
}

/** The help text of one command. */
export function helpOf(usage: Usage): string {
  const rows = describeFlags(usage).map(({ name, short, value, help }): [string, string] => [
    `${short ? `-${short}, ` : "    "}--${name}${value ? ` ${value}` : ""}`,
    help,
  ]);
  return `Usage: saber ${usage.line}\n\n${usage.summary}\n\nFlags:\n${columns(rows)}\n`;
}

/** The help text of the program, or of a group of commands: one line per command. */
export function overview(title: string, commands: Iterable<Pick<Usage, "line" | "summary">>): string {
  const rows = Array.from(commands, ({ line, summary }): [string, string] => [`saber ${line}`, summary]);
  return `saber${title}\n\nUsage:\n${columns(rows)}\n\n` +
    "Run one of them with --help for its flags.\n";
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
