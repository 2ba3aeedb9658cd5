/**
 * `saber rpc`: the headless protocol by which a host embeds the SQL agent. Start, serve, end.
 */
import { Session } from "../../agent/session.ts";
import { systemPrompt } from "../../agent/prompt.ts";
import type { App, Io, Mode, OpenDatabases } from "../../app.ts";
import { toFault } from "../../base/fault.ts";
import { toJson } from "../../base/json.ts";
import { ToolService } from "../../tools/service.ts";
import { jsonl } from "../../wire/jsonl.ts";
import { Connection } from "../../wire/serve.ts";
import { LineWriter } from "../../wire/writer.ts";
import { commandsOf } from "./commands.ts";
import { Conversation } from "./conversation.ts";

const PROTOCOL_VERSION = 1;
const MAX_LINE = 1 << 20;
/** What a model is told of a catalogue at once, in UTF-8 bytes. */
const MAX_CATALOG_BYTES = 64 * 1024;
/** docs/values.md, "Row caps". */
const ROW_CAPS = { unlimited: 1000, limited: 1_000_000 };

export const rpc: Mode = {
  usage: {
    line: "rpc [flags]",
    summary: "Embed the SQL agent: JSON lines over stdin and stdout.",
    flags: ["database", "model", "timeout", "no-thread", "thinking", "no-thinking", "allow-dangerous"],
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const writer = new LineWriter(io.output);
  try {
    const databases = await app.openDatabases();
    return await serve(app, { io, writer, databases });
  } catch (error) {
    const fault = toFault(error);
    if (fault.code === "internal") app.log("saber rpc could not start", { level: "error", error });
    await writer.write(
      toJson({ type: "response", command: "startup", success: false, error: fault.message }),
    );
    await writer.drain();
    return 1;
  }
}

interface Ends {
  readonly io: Io;
  readonly writer: LineWriter;
  readonly databases: OpenDatabases;
}

async function serve(app: App, { io, writer, databases }: Ends): Promise<number> {
  const { config } = app;
  const [model, results] = await Promise.all([app.openModel(), app.openResults()]);
  const toolbox = new ToolService({
    databases,
    rows: results,
    caps: ROW_CAPS,
    maxBytes: MAX_CATALOG_BYTES,
    databaseArgument: "when-several",
    serial: false,
  });
  const session = new Session({
    model,
    toolbox,
    system: systemPrompt({ databases: databases.list, access: config.access }),
    thinking: await app.thinkingLevel(),
    log: app.log,
  });
  const conversation = new Conversation({
    session,
    model,
    databases,
    results,
    dangerous: config.access === "write",
    csvToolResults: config.csvToolResults,
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
  io.stop.addEventListener("abort", () => {
    connection.abortAll();
    connection.close();
  });
  const ready = { protocolVersion: PROTOCOL_VERSION, ...conversation.state() };
  await connection.emit({ kind: "event", method: "ready", data: ready });
  const ending = await connection.run();
  await conversation.close();
  await Promise.all([writer.drain(), databases.close(), results.close()]);
  return ending === "broken" ? 1 : 0;
}
