/**
 * A conversation made of what begin.ts found: the agent's session, its tools, what it keeps and the thread it is saved in.
 */
import { csvToolbox } from "../../agent/csv_toolbox.ts";
import { systemPrompt } from "../../agent/prompt.ts";
import { Session } from "../../agent/session.ts";
import type { App } from "../../app.ts";
import type { Shelf } from "../../store/shelf.ts";
import { ToolService } from "../../tools/service.ts";
import type { Begun } from "./begin.ts";
import { Thread } from "./thread.ts";

/** What a model is told of a catalogue at once, in UTF-8 bytes. */
const MAX_CATALOG_BYTES = 64 * 1024;
/** docs/values.md, "Row caps". */
const ROW_CAPS = { unlimited: 1000, limited: 1_000_000 };

export interface OpenSession {
  readonly session: Session;
  readonly shelf: Shelf;
  readonly thread: Thread;
}

/** `warn` tells the person at stderr. */
export async function openSession(
  app: App,
  { databases, model, thinkingLevel: thinking, warn, ...begun }: Begun & { warn(text: string): void },
): Promise<OpenSession> {
  const { access, csvToolResults } = app.config;
  const shelf = await app.openShelf();
  const tools = new ToolService({
    databases,
    rows: shelf,
    caps: ROW_CAPS,
    maxBytes: MAX_CATALOG_BYTES,
    databaseArgument: "when-several",
    serial: false,
  });
  const toolbox = csvToolResults ? csvToolbox(tools) : tools;
  const system = begun.systemPrompt ?? systemPrompt({ databases: databases.list, access });
  const session = new Session({ model, toolbox, system, thinking, log: app.log, history: begun.messages });
  shelf.adopt(begun.messages);
  const about = () => ({
    databases: databases.list.map(({ name }) => name),
    selectors: databases.selectors,
    model: session.model.id,
  });
  const thread = new Thread({ app, place: begun.place, shelf, warn, about });
  return { session, shelf, thread };
}
