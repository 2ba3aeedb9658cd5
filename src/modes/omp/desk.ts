/**
 * What the commands work with: the conversation and all that stands around it in one process.
 */
import type { App, OpenDatabases } from "../../app.ts";
import type { Keys } from "../../settings/keys.ts";
import type { Shelf } from "../../store/shelf.ts";
import type { Approvals } from "./approvals.ts";
import type { OmpOptions, ThinkingWord } from "./command_line.ts";
import type { Conversation } from "./conversation.ts";
import type { Dialogs } from "./dialogs.ts";
import type { Display } from "./display.ts";
import type { HostTools } from "./host_tools.ts";
import type { HostUris } from "./host_uris.ts";
import type { Interrupts } from "./interrupts.ts";
import type { Logins } from "./login.ts";
import type { Models } from "./models.ts";
import type { SavedPrompts } from "./saved_prompts.ts";
import type { Sessions } from "./sessions.ts";
import type { Shells } from "./shells.ts";
import type { SlashCommands } from "./slash_commands.ts";
import type { OmpToolbox } from "./omp_toolbox.ts";
import type { OwnDocuments } from "./own_documents.ts";
import type { Subagents } from "./subagents.ts";
import type { Todos } from "./todos.ts";

export interface Desk {
  readonly app: App;
  readonly options: OmpOptions;
  readonly cwd: string;
  readonly databases: OpenDatabases;
  readonly shelf: Shelf;
  readonly toolbox: OmpToolbox;
  readonly conversation: Conversation;
  readonly sessions: Sessions;
  readonly models: Models;
  readonly todos: Todos;
  readonly subagents: Subagents;
  readonly dialogs: Dialogs;
  readonly display: Display;
  readonly hostTools: HostTools;
  readonly hostUris: HostUris;
  readonly shells: Shells;
  readonly approvals: Approvals;
  /** What saber has under saber://. */
  readonly documents: OwnDocuments;
  readonly logins: Logins;
  /** Keys of model providers that are kept. */
  readonly keys: Keys;
  readonly interrupts: Interrupts;
  readonly slash: SlashCommands;
  readonly savedPrompts: SavedPrompts;
  /** Tells the model which addresses the host has; to be called when they change. */
  describeSchemes(): void;
  /** The level in the protocol's words; the session has the engine's. */
  thinkingLevel: ThinkingWord;
}
