/**
 * What the host starts: it gives no arguments, so each driver has a file of its own that does. On Windows that file must be a
 * program, which knows its driver by its own name (main.ts).
 */
import { Fault } from "../../base/fault.ts";
import type { DriverId } from "./drivers.ts";

export interface Launcher {
  /** The name of the file in the driver's folder. */
  readonly name: string;
  /** Writes the file. Throws Fault `unavailable`. */
  write(path: string): Promise<void>;
}

/** `command`: how this program was started itself, as far as its own arguments. */
export function launcherOf(id: DriverId, command: readonly string[]): Launcher {
  return Deno.build.os === "windows" ? windowsLauncher(id, command) : scriptLauncher(id, command);
}

function scriptLauncher(id: DriverId, command: readonly string[]): Launcher {
  const [program = ""] = command;
  const folder = program.replace(/\/[^/]*$/, "");
  return {
    name: `${id}-plugin`,
    write: async (path) => {
      const words = [...command, "plugin", "--driver", id].map(shellWord).join(" ");
      // exec, so that the process which the host ends is this one; a desktop's own PATH may be short
      const text = `#!/bin/sh\nPATH=${shellWord(folder)}:"$PATH" exec ${words}\n`;
      await Deno.writeTextFile(path, text, { mode: 0o755 });
      await Deno.chmod(path, 0o755);
    },
  };
}

function windowsLauncher(id: DriverId, [program = "", ...others]: readonly string[]): Launcher {
  return {
    name: `${id}-plugin.exe`,
    write: async (path) => {
      if (others.length > 0) {
        throw new Fault(
          "unavailable",
          "Cannot install the driver: on Windows that takes the compiled program. Make it with 'deno task compile'.",
        );
      }
      await Deno.copyFile(program, path);
    },
  };
}

function shellWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
