/**
 * `saber plugin`: the databases as a driver of the Tabularis desktop client, by JSON-RPC over stdin and stdout.
 */
import type { App, Io, Mode } from "../../app.ts";
import { jsonrpc } from "../../wire/jsonrpc.ts";
import { Connection as Line } from "../../wire/serve.ts";
import { LineWriter } from "../../wire/writer.ts";
import { chosenDrivers } from "./chosen_drivers.ts";
import { commandsOf } from "./commands.ts";
import { DRIVERS } from "./drivers.ts";
import { Plugin } from "./plugin.ts";

/** Bytes of a line: a row with a large binary value comes as one. */
const MAX_LINE = 256 << 20;
/** How long what runs may go on when the host is gone, in milliseconds. */
const GRACE_MS = 1_000;

export const plugin: Mode = {
  usage: {
    line: "plugin [flags]",
    summary: "Serve as a database driver of the Tabularis desktop client over stdin and stdout.",
    flags: ["driver"],
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const { driver: named, folders } = app.config;
  const driver = named === undefined ? undefined : chosenDrivers(named)[0];
  // values are saved to files that a person names
  if (driver) app.keepOnly(["read", "write", ...await app.engineNeeds(DRIVERS[driver])]);
  const plugin = new Plugin({ ...app, home: folders.home }, driver);
  const line: Line = new Line({
    input: io.input.pipeThrough(atEnd(() => void setTimeout(() => line.abortAll(), GRACE_MS))),
    writer: new LineWriter(io.output),
    codec: jsonrpc,
    commands: commandsOf(plugin, { cancel: (id) => void line.cancel(id), close: () => line.close() }),
    log: plugin.log,
    lines: { maxBytes: MAX_LINE, lastLine: "drop" },
    lineErrors: {
      oversize: "Parse error: the line is longer than 256 MiB",
      invalid: "Parse error: the line is not UTF-8",
    },
  });
  // the host is gone, or wants no more: what runs is stopped and what is open undone
  const stop = () => {
    line.abortAll();
    line.close();
  };
  io.stop.addEventListener("abort", stop);
  if (io.stop.aborted) stop();
  const ending = await line.run();
  await plugin.close();
  return ending === "broken" ? 1 : 0;
}

/** Passes everything on; `then` is called when there is no more. */
function atEnd(then: () => void): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({ flush: then });
}
