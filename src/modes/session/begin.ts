/**
 * What has to be right before a conversation with the agent: the databases, the model and, on request, the thread to go on
 * with. It loads nothing that only the first question needs.
 */
import type { TranscriptMessage } from "../../agent/events.ts";
import type { App, Model, OpenDatabases, ResumedThread } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import type { Permission } from "../../base/permissions.ts";
import { shown } from "../../base/shown.ts";
import type { Place } from "../../store/threads.ts";

/** A model's library reads the environment; results are kept in files, and written as Parquet by a native library. */
const CONVERSATION: readonly Permission[] = ["read", "write", "env", "net", "ffi"];

/** What a beginning has found out. */
export interface Begun {
  readonly databases: OpenDatabases;
  readonly model: Model;
  readonly thinkingLevel: Awaited<ReturnType<App["thinkingLevel"]>>;
  /** Replaces the built-in one. */
  readonly systemPrompt: string | undefined;
  /** Where the resumed thread stands in the store, and what was said in it. */
  readonly place: Place | null;
  readonly messages: readonly TranscriptMessage[];
}

/** Gives up what is not needed by a conversation that stays with its databases; `besides`: what else the mode needs. */
export function settleFor(
  app: App,
  { databases, besides = [] }: {
    readonly databases: OpenDatabases;
    readonly besides?: readonly Permission[];
  },
): void {
  app.keepOnly([...CONVERSATION, ...databases.needs, ...besides]);
}

/** `thread`: the id of the thread to go on with. Throws a Fault with a sentence for whoever started the program. */
export async function begin(app: App, thread = app.config.thread): Promise<Begun> {
  const resumed = thread === undefined ? undefined : await find(app, thread);
  const databases = await app.openDatabases(selectors(app, resumed));
  return {
    databases,
    model: await app.openModel(resumed?.model),
    thinkingLevel: await app.thinkingLevel(),
    systemPrompt: await app.systemPrompt(),
    place: resumed?.place ?? null,
    messages: resumed?.messages ?? [],
  };
}

async function find(app: App, id: string): Promise<ResumedThread> {
  const resumed = await app.findThread(id);
  if (resumed) return resumed;
  throw new Fault("unavailable", `Cannot resume thread ${shown(id)}: there is no such thread.`);
}

/** What `-d` says, else what the thread was about. */
function selectors(app: App, resumed: ResumedThread | undefined): readonly string[] {
  const given = app.config.databases;
  if (given.length > 0 || resumed === undefined) return given;
  if (resumed.selectors !== null) return resumed.selectors;
  throw new Fault(
    "no_database",
    "Cannot resume the thread: its database was given as a file or a DSN, which is not kept. Name it again with -d.",
  );
}
