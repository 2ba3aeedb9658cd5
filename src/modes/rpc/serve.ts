/**
 * `saber rpc` after its first line: the conversation, the connection, and the orderly end of both.
 */
import type { App, Io } from "../../app.ts";
import { jsonl } from "../../wire/jsonl.ts";
import { Connection } from "../../wire/serve.ts";
import type { LineWriter } from "../../wire/writer.ts";
import { commandsOf } from "./commands.ts";
import { openSession } from "../session/open.ts";
import { Conversation } from "./conversation.ts";
import type { Started } from "./state.ts";

const MAX_LINE = 1 << 20;

/** The two ends of the connection. */
interface Ends {
  readonly io: Io;
  readonly writer: LineWriter;
}

/** Serves until the host ends it; the exit code. */
export async function serve(
  app: App,
  { io, writer, setting, begun }: Ends & Pick<Started, "setting" | "begun">,
): Promise<number> {
  const { session, shelf, thread } = await openSession(app, { ...begun, warn: io.warn });
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
  try {
    return await connection.run() === "broken" ? 1 : 0;
  } finally {
    await conversation.close();
    await Promise.all([writer.drain(), setting.databases.close(), shelf.close()]);
  }
}
