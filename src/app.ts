/**
 * What a mode may see of the program: types only, so that a mode can be read and tested without the rest.
 * main.ts makes the one App there is.
 */
import type { TranscriptMessage } from "./agent/events.ts";
import type { FlagInfo, Given, Usage } from "./args.ts";
import type { Log } from "./base/log.ts";
import type { Permission } from "./base/permissions.ts";
import type { Config } from "./config.ts";
import type { EngineName } from "./db/driver.ts";
import type { Work } from "./db/work.ts";
import type { Address, Workbench, WorkOptions } from "./db/workbench.ts";
import type { Target } from "./db/driver.ts";
import type { ProviderInfo } from "./llm/catalog.ts";
import type { Model, ThinkingLevel } from "./llm/provider.ts";
import type { KnowledgeBase } from "./store/knowledge_base.ts";
import type { Shelf } from "./store/shelf.ts";
import type { Place, ThreadStore } from "./store/threads.ts";
import type { DatabaseSet } from "./tools/tool.ts";
import type { Sink } from "./wire/writer.ts";

export type { Model, ProviderInfo };

export interface App {
  readonly version: string;
  readonly config: Config;
  /** The flags and words of the command, for those that are its own. */
  readonly given: Given;
  readonly log: Log;
  /** Gives up all other permissions for good, and logs what is left. */
  keepOnly(permissions: readonly Permission[]): void;
  /** The program and its first arguments, as they start it from any folder; a command follows. */
  readonly startCommand: readonly [string, ...string[]];
  /** Every command of the program. */
  commands(): Promise<readonly CommandInfo[]>;
  /** The `-d` values in a form that means the same databases in any folder. Throws Fault: no_database, bad_target, usage. */
  portableSelectors(): Promise<readonly string[]>;
  /** Resolves `-d`; servers connect at their first use. Throws Fault: no_database, bad_target. */
  openDatabases(selectors?: readonly string[]): Promise<OpenDatabases>;
  /** An engine's side for people who edit. Throws Fault `bad_target` where it has none. */
  workbench(engine: EngineName): Promise<Workbench>;
  /** What databases of an engine need of the program besides reading files. */
  engineNeeds(engine: EngineName): Promise<readonly Permission[]>;
  /** The connections of one address; `size` at once. Throws Fault `bad_target`. */
  openWork(engine: EngineName, address: Address, options: WorkOptions & WorkLimits): Promise<Work>;
  /** What selectors mean, without opening anything. Throws Fault: no_database, bad_target. */
  resolve(selectors: readonly string[]): Promise<readonly Target[]>;
  /**
   * The configured model, ready to be asked; each call reads the saved settings anew. `thread` is the model of a resumed
   * thread, which the flag and the environment overrule. Throws Fault: no_model.
   */
  openModel(thread?: string): Promise<Model>;
  /**
   * The model of this name, whatever is configured; it asks once and repeats nothing. `apiKey` comes before every other
   * key. Throws Fault: no_model.
   */
  namedModel(id: string, options?: { readonly apiKey?: string | undefined }): Promise<Model>;
  /** The providers that saber and the user's settings know. Throws Fault: no_model. */
  providers(): Promise<readonly ProviderInfo[]>;
  /** The models that a provider's server says it has. Throws Fault: model_unreachable, model_auth, model_error, no_model. */
  listModels(provider: ProviderInfo, signal: AbortSignal): Promise<readonly string[]>;
  /** The model of this name for a conversation, as the configured one is. Throws Fault: no_model. */
  chooseModel(id: string): Promise<Model>;
  /** What the flags and the saved settings say of reasoning. */
  thinkingLevel(): Promise<ThinkingLevel>;
  /** Results and artifacts that are kept with the thread, or gone with the process. */
  openShelf(): Promise<Shelf>;
  openThreads(): Promise<ThreadStore>;
  /** What was written down about databases; opening it makes nothing. */
  openKnowledge(): Promise<KnowledgeBase>;
  /** A thread of ours or of the Python program; undefined when there is none. Throws Fault `unavailable`. */
  findThread(id: string): Promise<ResumedThread | undefined>;
  /** Takes threads of the Python program over: this one, or all; how many were new. Throws Fault `unavailable`. */
  importThreads(id: string | undefined): Promise<number>;
  /** The path of the sample database, made if it is not there. Throws Fault `unavailable`. */
  makeSampleShop(): Promise<string>;
  /** What replaces the built-in system prompt; undefined when nothing does. Throws Fault `usage`. */
  systemPrompt(): Promise<string | undefined>;
}

export interface CommandInfo {
  /** `db`, `add`; none for a question. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly flags: readonly FlagInfo[];
}

export interface WorkLimits {
  readonly size: number;
  /** How long a connection may lie unused before it is ended, in milliseconds. */
  readonly idleMs: number;
}

export interface ResumedThread {
  /** Null for a thread of the Python program, which goes on as one of ours. */
  readonly place: Place | null;
  /** Saved connections to open; null where the thread names none. */
  readonly selectors: readonly string[] | null;
  readonly model: string | undefined;
  readonly messages: readonly TranscriptMessage[];
}

export interface OpenDatabases extends DatabaseSet {
  /** The saved connections that were selected; null when one was not a saved one. */
  readonly selectors: readonly string[] | null;
  /** What they need of the program besides reading files. */
  readonly needs: readonly Permission[];
  /** Loads now what would be loaded at the first use; what they need from then on. Throws Fault `unavailable`. */
  loadLibraries(): Promise<readonly Permission[]>;
  /** Ends all of them within a second. */
  close(): Promise<void>;
}

/** The process's own streams. stdout is the protocol's; what a person should read goes to `warn`. */
export interface Io {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: Sink;
  /** Writes a line to stderr. */
  warn(text: string): void;
  /** Aborted by SIGTERM, SIGINT and SIGHUP; the reason is the signal's name. */
  readonly stop: AbortSignal;
  /** Aborted by a second SIGINT: the person wants to leave, whatever still goes on. */
  readonly leave: AbortSignal;
  readonly terminal: Terminal;
}

/** What a person may sit at. */
export interface Terminal {
  /** Whether the person types stdin, and whether they read stdout, themselves. */
  readonly isInput: boolean;
  readonly isOutput: boolean;
  /** Whether stderr is a terminal whose cursor can be moved. */
  readonly isStatus: boolean;
  /** Writes to stderr, and to stdout, as it is. A terminal that has gone takes nothing. */
  writeStatus(text: string): void;
  write(text: string): void;
  /** Whether keys arrive one by one, unseen, with no line editing and no signals. */
  setRaw(on: boolean): void;
  /** Of the window, in characters. */
  size(): { readonly columns: number; readonly rows: number };
  /** Calls the listener when the window changes its size; the function that is returned ends that. */
  onResize(listener: () => void): () => void;
}

/** One tongue of the program: what it takes, and what it does until it returns the exit code. */
export interface Mode {
  readonly usage: Usage;
  /** A mode that takes whatever it is given reads it itself; `words` are then all of the arguments. */
  readArguments?(args: readonly string[]): Given;
  run(app: App, io: Io): Promise<number>;
}
