/**
 * `saber doctor`: goes through what saber needs and says what is wrong and how to mend it.
 */
import type { App, Io, Mode } from "../../app.ts";
import { abortable } from "../../base/abortable.ts";
import { oneLine } from "../../term/plain_text.ts";
import { paintOf } from "../paint_of.ts";
import { printJson, printLines } from "../print.ts";
import { waiting } from "../waiting.ts";
import { CHECKS, type Finding } from "./checks.ts";

export const doctor: Mode = {
  usage: {
    line: "doctor [flags]",
    summary: "Check versions, folders, stores, databases and the model, and say what to mend.",
    flags: ["database", "model", "timeout", "json"],
  },
  run,
};

/** 1 when something has to be mended. */
async function run(app: App, io: Io): Promise<number> {
  const findings: Finding[] = [];
  {
    using _wait = await waiting(app, { io, label: "checking" });
    for (const check of CHECKS) findings.push(...await abortable(check(app, io.stop), io.stop));
  }
  if (app.given.flags.json) await printJson(io, findings.map((finding) => ({ ...finding })));
  else {
    const paint = await paintOf(app, { isTerminal: io.terminal.isOutput });
    const lines = findings.flatMap(({ ok, about, state, advice }) => [
      `${ok ? paint("text", "ok  ") : paint("error", "!!  ")} ${oneLine(`${about}: ${state}`)}`,
      ...advice === undefined ? [] : [`     ${paint("muted", oneLine(advice))}`],
    ]);
    await printLines(io, lines, { isPainted: true });
  }
  return findings.every(({ ok }) => ok) ? 0 : 1;
}
