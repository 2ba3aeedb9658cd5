/**
 * A conversation made of what begin.ts found: the agent's session, its tools, what it keeps and the thread it is saved in.
 */
import { csvToolbox } from "../../agent/csv_toolbox.ts";
import { systemPrompt } from "../../agent/prompt.ts";
import { Session } from "../../agent/session.ts";
import type { Toolbox } from "../../agent/toolbox.ts";
import type { App } from "../../app.ts";
import type { Shelf } from "../../store/shelf.ts";
import { ToolService } from "../../tools/service.ts";
import type { KnowledgeSource } from "../../tools/tool.ts";
import { ROW_CAPS } from "../row_caps.ts";
import type { Begun } from "./begin.ts";
import { Thread } from "./thread.ts";

/** What a model is told of a catalogue at once, in UTF-8 bytes. */
const MAX_CATALOG_BYTES = 64 * 1024;

export interface OpenTools {
  /** The tools of the databases. */
  readonly toolbox: Toolbox;
  readonly shelf: Shelf;
}

export interface OpenSession {
  readonly session: Session;
  readonly shelf: Shelf;
  readonly thread: Thread;
}

/** The tools of a conversation, and where what they make is kept. */
export async function openTools(
  app: App,
  { databases, messages }: Pick<Begun, "databases" | "messages">,
): Promise<OpenTools> {
  const shelf = await app.openShelf();
  shelf.adopt(messages);
  const tools = new ToolService({
    databases,
    rows: shelf,
    knowledge: await findKnowledge(app, databases),
    caps: ROW_CAPS,
    maxBytes: MAX_CATALOG_BYTES,
    databaseArgument: "when-several",
    serial: false,
  });
  return { toolbox: app.config.csvToolResults ? csvToolbox(tools) : tools, shelf };
}

/** What was written down about these databases; undefined for nothing. A conversation does without what cannot be read. */
async function findKnowledge(app: App, { list }: Begun["databases"]): Promise<KnowledgeSource | undefined> {
  try {
    const base = await app.openKnowledge();
    return await base.isAbout(list.map(({ name }) => name)) ? base : undefined;
  } catch (error) {
    app.log("the knowledge could not be read", { level: "warning", error });
    return undefined;
  }
}

/** What the model is told first. */
export function systemOf(app: App, begun: Pick<Begun, "databases" | "systemPrompt">): string {
  return begun.systemPrompt ?? systemPrompt({ databases: begun.databases.list, access: app.config.access });
}

/** `warn` tells the person at stderr. */
export async function openSession(
  app: App,
  { warn, ...begun }: Begun & { warn(text: string): void },
): Promise<OpenSession> {
  const { databases, model, thinkingLevel: thinking, messages: history } = begun;
  const { toolbox, shelf } = await openTools(app, begun);
  const system = systemOf(app, begun);
  const session = new Session({
    ...{ model, toolbox, system, thinking, log: app.log, history },
    warn: (text) => warn(`saber: ${text}`),
    keep: async (completed) => await thread.commit(completed),
  });
  const about = () => ({
    databases: databases.list.map(({ name }) => name),
    selectors: databases.selectors,
    model: session.model.id,
  });
  const thread: Thread = new Thread({ app, place: begun.place, shelf, warn, about });
  return { session, shelf, thread };
}
