/**
 * `saber --mode rpc`: the protocol of the omp coding agent's RPC mode, so that hosts written for it can have the SQL agent
 * in its place. This file starts it: what has to be right before `ready`. What comes after it is serve.ts's.
 */
import type { App, Io, Mode, Model } from "../../app.ts";
import { Fault, toFault } from "../../base/fault.ts";
import { fullText } from "../../base/fault_text.ts";
import { toJson } from "../../base/json.ts";
import { signalExit } from "../../base/signal_exit.ts";
import { LineWriter } from "../../wire/writer.ts";
import { begin, settleFor } from "../session/begin.ts";
import { readCommandLine } from "./command_line.ts";
import { engineLevel } from "./models.ts";
import { Sessions } from "./sessions.ts";

/** What a host looks for before it asks for lines in pieces. */
const V2_OFFER = {
  protocolVersion: 1,
  supportedProtocolVersions: [1, 2],
  maxFrameBytes: 1 << 20,
  maxReassembledFrameBytes: 64 << 20,
};

export const omp: Mode = {
  usage: {
    line: "--mode rpc [flags]",
    summary: "Stand in for the omp coding agent's RPC mode: JSON lines over stdin and stdout.",
    flags: ["database", "model", "timeout", "allow-dangerous", "csv-tool-results", "system-prompt"],
  },
  readArguments: (args) => ({ flags: readCommandLine(args).flags, words: args }),
  run: async (app, io) => {
    try {
      const code = await run(app, io);
      return io.stop.aborted ? signalExit(io.stop.reason) : code;
    } catch (error) {
      const fault = toFault(error);
      if (fault.code === "internal") app.log("saber --mode rpc could not start", { level: "error", error });
      io.warn(`Error: ${fullText(fault)}`);
      return 1;
    }
  },
};

async function run(app: App, io: Io): Promise<number> {
  const parent = Deno.ppid; // before anything is waited for
  const { options } = readCommandLine(app.given.words);
  if (options.refusal !== undefined) throw new Fault("usage", options.refusal);
  for (const warning of options.warnings) io.warn(warning);
  const cwd = options.cwd ?? Deno.cwd();
  const begun = await begin({
    ...app,
    openModel: async (thread) => await modelOrNone(app, { thread, apiKey: options.apiKey }),
  });
  settleFor(app, { databases: begun.databases, besides: ["run"] }); // commands of the shell
  const sessions = new Sessions({
    root: `${app.config.environment.PI_CODING_AGENT_DIR || app.config.folders.data}/sessions`,
    folder: options.sessionDir,
    cwd,
    keeps: options.keepsSession,
  });
  const tree = await sessions.start(options);
  if (options.name !== undefined) tree.append({ type: "session_info", name: options.name });
  const writer = new LineWriter(io.output);
  const offer = options.offersV2 || app.config.environment.SABER_RPC_V2 === "1" ? V2_OFFER : {};
  await writer.write(toJson({ type: "ready", ...offer }));
  app.log("saber --mode rpc is ready", { level: "info" });
  const { serve } = await import("./serve.ts");
  const thinkingLevel = options.thinking === undefined ? begun.thinkingLevel : engineLevel(options.thinking);
  return await serve(app, {
    ...{ io, writer, options, sessions, tree, cwd, parent },
    begun: { ...begun, thinkingLevel },
  });
}

/** Without a model the host may still look at sessions and choose one; what was asked for by name has to be there. */
async function modelOrNone(
  app: App,
  { thread, apiKey }: { readonly thread: string | undefined; readonly apiKey: string | undefined },
): Promise<Model> {
  try {
    const isNamed = apiKey !== undefined && app.config.model !== undefined;
    const id = isNamed ? app.config.model : (await app.openModel(thread)).id;
    return await app.namedModel(id, { apiKey });
  } catch (error) {
    if (app.config.model !== undefined || !(error instanceof Fault) || error.code !== "no_model") throw error;
    return {
      id: "",
      name: "",
      stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) }),
    };
  }
}
