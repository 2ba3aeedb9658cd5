/**
 * What a mode may see of the program: types only, so that a mode can be read and tested without the rest.
 * main.ts makes the one App there is.
 */
import type { Usage } from "./args.ts";
import type { Log } from "./base/log.ts";
import type { Config } from "./config.ts";
import type { Model, ThinkingLevel } from "./llm/provider.ts";
import type { ResultStore } from "./store/results.ts";
import type { DatabaseSet } from "./tools/tool.ts";
import type { Sink } from "./wire/writer.ts";

export type { Model };

export interface App {
  readonly version: string;
  readonly config: Config;
  readonly log: Log;
  /** Resolves `-d`; servers connect at their first use. Throws Fault: no_database, bad_target. */
  openDatabases(): Promise<OpenDatabases>;
  /** The configured model, ready to be asked; each call reads the saved settings anew. Throws Fault: no_model. */
  openModel(): Promise<Model>;
  /** What the flags and the saved settings say of reasoning. */
  thinkingLevel(): Promise<ThinkingLevel>;
  openResults(): Promise<ResultStore>;
  /** What replaces the built-in system prompt; undefined when nothing does. Throws Fault `usage`. */
  systemPrompt(): Promise<string | undefined>;
}

export interface OpenDatabases extends DatabaseSet {
  /** Ends all of them within a second. */
  close(): Promise<void>;
}

/** The process's own streams. stdout is the protocol's; what a person should read goes to `warn`. */
export interface Io {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: Sink;
  /** Writes a line to stderr. */
  warn(text: string): void;
  /** Aborted by SIGTERM, SIGINT and SIGHUP. */
  readonly stop: AbortSignal;
}

/** One tongue of the program: what it takes, and what it does until it returns the exit code. */
export interface Mode {
  readonly usage: Usage;
  run(app: App, io: Io): Promise<number>;
}
