/**
 * `saber rpc` after its first line: the conversation, the connection, and the orderly end of both.
 */
import { csvToolbox } from "../../agent/csv_toolbox.ts";
import { systemPrompt } from "../../agent/prompt.ts";
import { Session } from "../../agent/session.ts";
import type { App, Io } from "../../app.ts";
import { ToolService } from "../../tools/service.ts";
import { jsonl } from "../../wire/jsonl.ts";
import { Connection } from "../../wire/serve.ts";
import type { LineWriter } from "../../wire/writer.ts";
import { commandsOf } from "./commands.ts";
import { Conversation } from "./conversation.ts";
import { Thread } from "./thread.ts";
import type { Started } from "./state.ts";

const MAX_LINE = 1 << 20;
/** What a model is told of a catalogue at once, in UTF-8 bytes. */
const MAX_CATALOG_BYTES = 64 * 1024;
/** docs/values.md, "Row caps". */
const ROW_CAPS = { unlimited: 1000, limited: 1_000_000 };

/** The two ends of the connection. */
interface Ends {
  readonly io: Io;
  readonly writer: LineWriter;
}

/** Serves until the host ends it; the exit code. */
export async function serve(
  app: App,
  { io, writer, setting, progress, ...start }: Ends & Started,
): Promise<number> {
  const { databases } = setting;
  const shelf = await app.openShelf();
  const tools = new ToolService({
    databases,
    rows: shelf,
    caps: ROW_CAPS,
    maxBytes: MAX_CATALOG_BYTES,
    databaseArgument: "when-several",
    serial: false,
  });
  const toolbox = setting.csvToolResults ? csvToolbox(tools) : tools;
  const { model, thinkingLevel: thinking } = progress;
  const system = start.systemPrompt ?? systemPrompt({ databases: databases.list, access: app.config.access });
  const session = new Session({ model, toolbox, system, thinking, log: app.log, history: start.messages });
  shelf.adopt(start.messages);
  const thread = new Thread({
    app,
    place: start.place,
    shelf,
    warn: io.warn,
    about: () => ({
      databases: databases.list.map(({ name }) => name),
      selectors: databases.selectors,
      model: session.model.id,
    }),
  });
  const conversation = new Conversation({
    session,
    setting,
    thread,
    openModel: app.openModel,
    shelf,
    log: app.log,
    emit: async (event) => await connection.emit(event),
  });
  const connection: Connection = new Connection({
    input: io.input,
    writer,
    codec: jsonl,
    commands: commandsOf(conversation, () => connection.close()),
    log: app.log,
    lines: { maxBytes: MAX_LINE, lastLine: "deliver" },
    lineErrors: { oversize: "Input line exceeds 1 MiB", invalid: "Command is not valid UTF-8" },
  });
  const stop = () => {
    connection.abortAll();
    connection.close();
  };
  io.stop.addEventListener("abort", stop);
  if (io.stop.aborted) stop();
  const ending = await connection.run();
  await conversation.close();
  await Promise.all([writer.drain(), databases.close(), shelf.close()]);
  return ending === "broken" ? 1 : 0;
}
