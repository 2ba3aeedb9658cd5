/**
 * What has to be right before `ready`: the databases, the model and, on request, the thread to go on with.
 */
import type { App, ResumedThread } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import type { Started } from "./state.ts";

/** Throws a Fault with the sentence of the startup failure. */
export async function start(app: App): Promise<Started> {
  const { access, csvToolResults, keepThread, thread: id } = app.config;
  const resumed = id === undefined ? undefined : await find(app, id);
  const databases = await app.openDatabases(selectors(app, resumed));
  const model = await app.openModel(resumed?.model);
  const thinkingLevel = await app.thinkingLevel();
  const messages = resumed?.messages ?? [];
  return {
    setting: { databases, dangerous: access === "write", csvToolResults, keepThread },
    progress: { running: false, model, thinkingLevel, messageCount: messages.length, pendingSteers: [] },
    systemPrompt: await app.systemPrompt(),
    place: resumed?.place ?? null,
    messages,
  };
}

async function find(app: App, id: string): Promise<ResumedThread> {
  const resumed = await app.findThread(id);
  if (resumed) return resumed;
  throw new Fault("unavailable", `Cannot resume thread ${JSON.stringify(id)}: there is no such thread.`);
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
