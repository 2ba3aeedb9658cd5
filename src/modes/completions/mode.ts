/**
 * `saber completions`: a script by which a shell completes saber's commands and flags.
 */
import type { App, CommandInfo, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { printLines } from "../print.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { powershellScript } from "./powershell.ts";
import { zshScript } from "./zsh.ts";

export const completions: Mode = {
  usage: {
    line: "completions bash|zsh|fish|powershell",
    summary: "Print a script by which a shell completes saber's commands, for example: " +
      "source <(saber completions bash)",
    flags: [],
    words: 1,
  },
  run,
};

const SCRIPTS: { readonly [shell: string]: (commands: readonly CommandInfo[]) => string } = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

async function run(app: App, io: Io): Promise<number> {
  const [shell = ""] = app.given.words;
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (!script) throw new Fault("usage", `For which shell? There are ${Object.keys(SCRIPTS).join(", ")}.`);
  await printLines(io, [script(await app.commands()).trimEnd()]);
  return 0;
}
