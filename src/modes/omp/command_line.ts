/**
 * The command line of `saber --mode rpc`. Its hosts were written for other programs and pass flags that mean nothing
 * here, so nothing is refused: what is known is taken, the rest is told of.
 */
import { commaList } from "../../base/comma_list.ts";
import type { Flags } from "../../args.ts";
import { readConfigFile } from "./config_file.ts";

export interface OmpOptions {
  readonly provider?: string;
  readonly model?: string;
  readonly thinking?: ThinkingWord;
  /** A session to go on with: a path or the beginning of an id. */
  readonly session?: string;
  readonly continues: boolean;
  /** A session of which a copy goes on. */
  readonly fork?: string;
  readonly sessionDir?: string;
  readonly sessionId?: string;
  readonly name?: string;
  readonly keepsSession: boolean;
  /** Added to the system prompt. */
  readonly appendSystemPrompt?: string;
  /** Names of the tools that the model may see. */
  readonly tools?: readonly string[];
  /** Models that cycle_model goes through. */
  readonly models?: readonly string[];
  readonly approval: ApprovalMode;
  readonly cwd?: string;
  /** A key of the provider that the model is of. */
  readonly apiKey?: string;
  /** How long a run may take, in milliseconds. */
  readonly maxRunMs?: number;
  readonly bashInheritsEnvironment: boolean;
  /** `ready` tells that long lines can be had in pieces. */
  readonly offersV2: boolean;
  /** More is told than the protocol has: SQL as it is written, queues as they change, ids of unknown commands. */
  readonly tellsExtras: boolean;
  /** Why the program must not start. */
  readonly refusal?: string;
  /** What a person should know of the flags, one sentence each. */
  readonly warnings: readonly string[];
}

export const THINKING_WORDS = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type ThinkingWord = (typeof THINKING_WORDS)[number];

export const APPROVAL_MODES = ["always-ask", "write", "yolo"] as const;
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

/** Flags with a value, by all their spellings. */
const VALUED: { readonly [flag: string]: string } = {
  "-d": "database",
  "--database": "database",
  "--provider": "provider",
  "--model": "model",
  "--thinking": "thinking",
  "--session": "session",
  "--resume": "session",
  "-r": "session",
  "--fork": "fork",
  "--session-dir": "sessionDir",
  "--session-id": "sessionId",
  "--name": "name",
  "-n": "name",
  "--system-prompt": "systemPrompt",
  "--append-system-prompt": "appendSystemPrompt",
  "--tools": "tools",
  "--models": "models",
  "--api-key": "apiKey",
  "--cwd": "cwd",
  "--timeout": "timeout",
  "--approval-mode": "approval",
  "--max-time": "maxTime",
  "--config": "config",
};

/** Flags with a value that mean nothing here. */
const OVERLOOKED_VALUED = new Set([
  "-e",
  "--extension",
  "--hook",
  "--skill",
  "--theme",
  "--smol",
  "--slow",
  "--plan",
  "--provider-session-id",
]);

const SWITCHES: { readonly [flag: string]: string } = {
  "--allow-dangerous": "allowDangerous",
  "--csv-tool-results": "csv",
  "--no-thinking": "noThinking",
  "--continue": "continues",
  "-c": "continues",
  "--no-session": "noSession",
  "--no-tools": "noTools",
  "--auto-approve": "yolo",
  "--yolo": "yolo",
  "--bash-inherit-env": "bashInherits",
  "--rpc-v2": "offersV2",
  "--rpc-extras": "extras",
  "-h": "help",
  "--help": "help",
  "--version": "version",
};

const OVERLOOKED = new Set([
  "--no-skills",
  "--no-rules",
  "--no-title",
  "--no-extensions",
  "--no-themes",
  "--no-pty",
  "--no-lsp",
  "--offline",
  "--verbose",
  "--approve",
  "--no-approve",
  "--advisor",
  "--prewalk",
]);

/** What was found, each name with its last value; `database` with all of them. */
interface Found {
  readonly values: Map<string, string>;
  readonly switches: Set<string>;
  readonly databases: string[];
  readonly warnings: string[];
  refusal?: string;
}

export function readCommandLine(args: readonly string[]): { options: OmpOptions; flags: Flags } {
  const found = withConfigFile(args);
  return { options: toOptions(found), flags: toFlags(found) };
}

/** What stands on the command line comes before what the file says. */
function withConfigFile(args: readonly string[]): Found {
  const given = scan(args);
  const path = given.values.get("config");
  if (path === undefined) return given;
  const file = readConfigFile(path);
  const isTaken = (arg: string) => given.databases.length === 0 || !arg.startsWith("--database=");
  const found = scan([...file.args.filter(isTaken), ...args]);
  return { ...found, warnings: [...file.warnings, ...found.warnings] };
}

function scan(args: readonly string[]): Found {
  const found: Found = { values: new Map(), switches: new Set(), databases: [], warnings: [] };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg.startsWith("@")) found.refusal = "@file arguments are not supported in RPC mode";
    if (!arg.startsWith("-")) continue;
    const [, flag = arg, inline] = /^(--[^=]+)=(.*)$/s.exec(arg) ?? [];
    if (takesValue(flag)) {
      const isGiven = inline !== undefined || mayFollow(flag, args[at + 1]);
      const value = inline ?? (isGiven ? args[++at] : undefined);
      take(found, { flag, value });
    } else if (Object.hasOwn(SWITCHES, flag)) found.switches.add(SWITCHES[flag] ?? "");
    else if (!OVERLOOKED.has(flag)) found.warnings.push(`saber: the unknown flag ${flag} is overlooked.`);
  }
  return found;
}

function takesValue(flag: string): boolean {
  return Object.hasOwn(VALUED, flag) || OVERLOOKED_VALUED.has(flag);
}

/** The word after --thinking is its level only if it is one. */
function mayFollow(flag: string, next: string | undefined): boolean {
  return next !== undefined && (flag !== "--thinking" || thinkingWord(next) !== undefined);
}

function take(found: Found, { flag, value }: { readonly flag: string; readonly value: string | undefined }) {
  const name = VALUED[flag];
  if (name === "thinking" && (value === undefined || thinkingWord(value) === undefined)) {
    if (value === undefined) found.switches.add("thinking");
    else found.warnings.push(`saber: --thinking ${value} is overlooked; levels are ${THINKING_WORDS}.`);
  } else if (value === undefined) found.warnings.push(`saber: ${flag} is overlooked; it needs a value.`);
  else if (name === "database") found.databases.push(value);
  else if (name !== undefined) found.values.set(name, value);
}

export function thinkingWord(word: string): ThinkingWord | undefined {
  return word === "maximum" ? "max" : THINKING_WORDS.find((each) => each === word);
}

function toOptions({ values, switches, refusal, warnings }: Found): OmpOptions {
  const { model, level } = splitModel(values.get("model"));
  const thinking = thinkingWord(values.get("thinking") ?? level ?? (switches.has("noThinking") ? "off" : ""));
  const approval = switches.has("yolo") ? "yolo" : values.get("approval");
  const text = (name: string) => values.has(name) ? { [name]: values.get(name) } : {};
  const maxTime = Number(values.get("maxTime"));
  return {
    ...text("provider"),
    ...(model === undefined ? {} : { model }),
    ...(thinking === undefined ? {} : { thinking }),
    ...text("session"),
    ...text("fork"),
    ...text("sessionDir"),
    ...text("sessionId"),
    ...text("name"),
    ...text("appendSystemPrompt"),
    ...text("cwd"),
    ...text("apiKey"),
    continues: switches.has("continues"),
    keepsSession: !switches.has("noSession"),
    ...(switches.has("noTools")
      ? { tools: [] }
      : values.has("tools")
      ? { tools: commaList(values.get("tools")) }
      : {}),
    ...(values.has("models") ? { models: commaList(values.get("models")) } : {}),
    approval: APPROVAL_MODES.find((mode) => mode === approval) ?? "always-ask",
    ...(maxTime > 0 ? { maxRunMs: maxTime * 1000 } : {}),
    bashInheritsEnvironment: switches.has("bashInherits"),
    offersV2: switches.has("offersV2"),
    tellsExtras: switches.has("extras"),
    ...(refusal === undefined ? {} : { refusal }),
    warnings,
  };
}

/** `model:high` is the model with a level; another word behind the colon belongs to the model. */
function splitModel(text: string | undefined): { model?: string; level?: string } {
  const [, model, level] = /^(.+):([a-z]+)$/.exec(text ?? "") ?? [];
  if (model !== undefined && level !== undefined && thinkingWord(level)) return { model, level };
  return text === undefined ? {} : { model: text };
}

/** `P:M`, from --provider P --model M, --model P/M or --model P:M. */
export function modelId({ provider, model }: Pick<OmpOptions, "provider" | "model">): string | undefined {
  if (model === undefined) return provider === undefined ? undefined : `${provider}:`;
  if (provider !== undefined) return `${provider}:${model}`;
  const [, first, rest] = /^([\w.-]+)\/(.+)$/s.exec(model) ?? [];
  return first === undefined || model.includes(":") ? model : `${first}:${rest}`;
}

function toFlags({ values, switches, databases }: Found): Flags {
  const model = modelId(toModelWords(values));
  const level = values.get("thinking");
  const systemPrompt = values.get("systemPrompt");
  const timeout = values.get("timeout");
  return {
    ...(databases.length === 0 ? {} : { database: databases }),
    ...(model === undefined ? {} : { model }),
    ...(switches.has("allowDangerous") ? { "allow-dangerous": true } : {}),
    ...(switches.has("csv") ? { "csv-tool-results": true } : {}),
    ...(switches.has("noSession") ? { "no-thread": true } : {}),
    ...(switches.has("thinking") || (level !== undefined && level !== "off") ? { thinking: true } : {}),
    ...(switches.has("noThinking") || level === "off" ? { "no-thinking": true } : {}),
    ...(systemPrompt === undefined ? {} : { "system-prompt": systemPrompt }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(switches.has("help") ? { help: true } : {}),
    ...(switches.has("version") ? { version: true } : {}),
  };
}

function toModelWords(values: Found["values"]): Pick<OmpOptions, "provider" | "model"> {
  const provider = values.get("provider");
  const { model } = splitModel(values.get("model"));
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
  };
}
