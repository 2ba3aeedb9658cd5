/**
 * `saber --mode rpc` after its first line: everything put together, the connection, and the orderly end of both.
 */
import type { App, Io } from "../../app.ts";
import { Connection } from "../../wire/serve.ts";
import type { LineWriter } from "../../wire/writer.ts";
import type { Begun } from "../session/begin.ts";
import { announce } from "./announce.ts";
import { type Framing, ompCodec } from "./codec.ts";
import type { OmpOptions } from "./command_line.ts";
import { commandsOf } from "./commands.ts";
import type { Desk } from "./desk.ts";
import type { Emit } from "./message_teller.ts";
import { adoptResults } from "./held_results.ts";
import { makeDesk } from "./make_desk.ts";
import { watchParent } from "./parent_watch.ts";
import { pause } from "../../base/pause.ts";
import { restore } from "./session_commands.ts";
import type { SessionTree } from "./session_tree.ts";
import type { Sessions } from "./sessions.ts";

const MAX_LINE = 64 << 20;
/** How long the shells may go on when the host is gone, and how long everything may. */
const SHELL_GRACE_MS = 1000;
const GRACE_MS = 2800;

export interface Started {
  readonly io: Io;
  readonly writer: LineWriter;
  readonly begun: Begun;
  readonly options: OmpOptions;
  readonly sessions: Sessions;
  readonly tree: SessionTree;
  readonly cwd: string;
  /** The process id of whoever started this one. */
  readonly parent: number;
}

/** Serves until the host ends it; the exit code. */
export async function serve(app: App, started: Started): Promise<number> {
  const { io, writer } = started;
  const emit: Emit = async (method, data) => await connection.emit({ kind: "event", method, data });
  const desk = await makeDesk(app, { ...started, emit });
  const framing: Framing = { version: 1, keepsUnknownIds: started.options.tellsExtras };
  const ended = Promise.withResolvers<void>();
  const connection: Connection = new Connection({
    input: io.input.pipeThrough(new TransformStream({ flush: () => ended.resolve() })),
    writer,
    codec: ompCodec(framing),
    commands: commandsOf(desk, {
      framing,
      end: () => {
        ended.resolve();
        connection.close();
      },
    }),
    log: app.log,
    lines: { maxBytes: MAX_LINE, lastLine: "deliver" },
    lineErrors: { oversize: "Failed to parse command: the line is too long", invalid: INVALID },
  });
  const stop = () => {
    ended.resolve();
    connection.close();
  };
  const hurry = () => {
    stop();
    void desk.conversation.abort({ resumes: false }); // whoever sends a signal may kill a moment later
  };
  io.stop.addEventListener("abort", hurry);
  if (io.stop.aborted) hurry();
  const isWatched = app.config.environment.SABER_WATCH_PARENT !== "0";
  using _watch = isWatched ? watchParent(started.parent, stop) : undefined;
  void writer.broken.then(stop);
  void ended.promise.then(() => nobodyAnswers(desk));
  await desk.savedPrompts.load();
  await announce(desk);
  await adoptResults(desk.shelf, desk.conversation.tree);
  await restore(desk);
  const orderly = connection.run().then(() => leave(desk, writer));
  await Promise.race([orderly, ended.promise.then(() => pause(GRACE_MS))]);
  return 0;
}

const INVALID = "Failed to parse command: the line is not valid UTF-8";

/** The host is gone: what waits for it gets its default, and what it waits for is not waited for. */
async function nobodyAnswers({ dialogs, hostTools, hostUris, shells, conversation }: Desk): Promise<void> {
  dialogs.close();
  hostTools.close();
  hostUris.close();
  void conversation.compactor.stop();
  await pause(SHELL_GRACE_MS);
  shells.abort();
}

async function leave({ conversation, shells, databases, shelf }: Desk, writer: LineWriter): Promise<void> {
  await conversation.close();
  shells.abort();
  await Promise.all([shells.over(), writer.drain(), databases.close(), shelf.close()]);
}
