/**
 * `saber rpc`: the headless protocol by which a host embeds the SQL agent. This file starts it: what has to be right
 * before `ready`. What comes after it is serve.ts's, which is loaded once the host has its first line.
 */
import type { App, Io, Mode } from "../../app.ts";
import { toFault } from "../../base/fault.ts";
import { fullText } from "../../base/fault_text.ts";
import { toJson } from "../../base/json.ts";
import { LineWriter } from "../../wire/writer.ts";
import { begin, settleFor } from "../session/begin.ts";
import { type Started, stateOf } from "./state.ts";

const PROTOCOL_VERSION = 1;

export const rpc: Mode = {
  usage: {
    line: "rpc [flags]",
    summary: "Embed the SQL agent: JSON lines over stdin and stdout.",
    flags: [
      "database",
      "model",
      "key-file",
      "timeout",
      "thread",
      "no-thread",
      "thinking",
      "no-thinking",
      "allow-dangerous",
      "csv-tool-results",
      "no-csv-tool-results",
      "system-prompt",
      "schema",
    ],
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const writer = new LineWriter(io.output);
  let started: Started;
  try {
    started = await start(app);
  } catch (error) {
    const fault = toFault(error);
    if (fault.code === "internal") app.log("saber rpc could not start", { level: "error", error });
    await writer.write(
      toJson({ type: "response", command: "startup", success: false, error: fullText(fault) }),
    );
    await writer.drain();
    return 1;
  }
  const { setting, progress, begun } = started;
  const state = stateOf(setting, { ...progress, threadId: begun.place?.id ?? null });
  await writer.write(toJson({ type: "ready", protocolVersion: PROTOCOL_VERSION, ...state }));
  app.log("saber rpc is ready", { level: "info" });
  const { serve } = await import("./serve.ts");
  return await serve(app, { io, writer, ...started });
}

/** Throws a Fault with the sentence of the startup failure. */
async function start(app: App): Promise<Started> {
  const { access, csvToolResults, keepThread } = app.config;
  const begun = await begin(app);
  const { databases, model, thinkingLevel, messages } = begun;
  settleFor(app, { databases });
  return {
    setting: { databases, dangerous: access === "write", csvToolResults, keepThread },
    progress: { running: false, model, thinkingLevel, messageCount: messages.length, pendingSteers: [] },
    begun,
  };
}
