/**
 * Starts a SQLite process: a part of this program once more, with a hidden command and as few permissions as can be.
 */
import { Fault } from "../../base/fault.ts";
import type { Access } from "../driver.ts";
import { ENDING_NEEDS_RUN } from "../sqlite_child/parent_watch.ts";

/** The first argument by which main.ts knows that it is to be a SQLite process. */
const HIDDEN_COMMAND = "sqlite-process";

/** Rows live there for a moment only, for which V8 would keep 64 MB at hand; so many MB are as good. */
const V8_FLAGS = "--max-semi-space-size=4";

export interface ProcessOptions {
  /** Absolute path without symbolic links, or `:memory:`. */
  readonly path: string;
  readonly access: Access;
  readonly busyMs: number;
}

/** Throws Fault `unreachable` when no process can be started. */
export function spawn(options: ProcessOptions): Deno.ChildProcess {
  const { program, args } = commandLine(options);
  try {
    return new Deno.Command(program, {
      args: [...args, HIDDEN_COMMAND, options.path, options.access, String(options.busyMs)],
      clearEnv: true,
      env: { DENO_V8_FLAGS: V8_FLAGS },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    const state = error instanceof Deno.errors.NotFound
      ? "there is no program named deno. Put deno on the PATH"
      : "the SQLite process can't be started. Allow the program to run deno";
    throw new Fault("unreachable", `Cannot open the database: ${state}.`, { cause: error });
  }
}

/** A compiled program runs itself; from source, deno runs the process's own entry with no permission but for the file. */
function commandLine(options: ProcessOptions): { program: string; args: readonly string[] } {
  if (Deno.build.standalone) return { program: Deno.execPath(), args: [] };
  const entry = new URL("../sqlite_child/entry.ts", import.meta.url).href;
  const flags = ["-q", "--no-prompt", "--no-config", "--no-lock", ...permissions(options)];
  return { program: "deno", args: ["run", ...flags, entry] };
}

function permissions({ path, access }: ProcessOptions): readonly string[] {
  // Deno splits the list at commas and knows no escape; the process gives the permission up once the file is open.
  const scope = path.includes(",") ? "" : `=${path}`;
  const file = path === ":memory:" ? [] : [`--allow-read${scope}`];
  if (file.length > 0 && access === "write") file.push(`--allow-write${scope}`);
  return ENDING_NEEDS_RUN ? [...file, "--allow-run"] : file;
}
