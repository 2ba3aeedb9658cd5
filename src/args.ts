/**
 * The command line as data: every flag once, what parses them, and the help text made from them.
 * It decides nothing; defaults are config.ts's. Parsing is Node's own parseArgs, which starts three times as fast
 * here as a package would.
 */
import { parseArgs } from "node:util";
import { Fault } from "./base/fault.ts";

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
  timeout: {
    type: "string",
    value: "SECONDS",
    help: "How long a statement may take until its first row (30).",
  },
  thread: { type: "string", value: "ID", help: "Go on with a saved thread." },
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
  /** Without the program's name: `rpc [flags]`. */
  readonly line: string;
  readonly summary: string;
  readonly flags: readonly FlagName[];
}

/** Flags that every command has. */
const COMMON: readonly FlagName[] = ["help", "version"];

/** The flags of one command. Throws Fault `usage` with a sentence for the terminal. */
export function parseFlags(args: readonly string[], usage: Usage): Flags {
  const names = [...usage.flags, ...COMMON];
  try {
    const { values } = parseArgs({
      args: [...args],
      options: Object.fromEntries(names.map((name) => [name, optionOf(name)])),
      strict: true,
      allowPositionals: false,
    });
    return values;
  } catch (error) {
    const why = error instanceof Error ? error.message.split(/[.\n]/, 1)[0] : "The flags cannot be read";
    throw new Fault("usage", `${why}. Run 'saber ${usage.line.split(" ", 1)[0]} --help' for what it takes.`);
  }
}

function optionOf(name: FlagName): { type: "string" | "boolean"; short?: string; multiple?: boolean } {
  const flag: FlagSpec = FLAGS[name];
  return {
    type: flag.type,
    ...(flag.short ? { short: flag.short } : {}),
    ...(flag.multiple ? { multiple: true } : {}),
  };
}

/** The help text of one command. */
export function helpOf(usage: Usage): string {
  const rows = [...usage.flags, ...COMMON].map((name): [string, string] => {
    const flag: FlagSpec = FLAGS[name];
    const short = flag.short ? `-${flag.short}, ` : "    ";
    return [`${short}--${name}${flag.value ? ` ${flag.value}` : ""}`, flag.help];
  });
  return `Usage: saber ${usage.line}\n\n${usage.summary}\n\nFlags:\n${columns(rows)}\n`;
}

/** The help text of the program: one line per command. */
export function overview(commands: Iterable<Usage>): string {
  const rows = Array.from(commands, ({ line, summary }): [string, string] => [`saber ${line}`, summary]);
  return `saber: a SQL agent and its databases behind a pipe.\n\nUsage:\n${columns(rows)}\n\n` +
    "Run 'saber COMMAND --help' for the flags of a command.\n";
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
