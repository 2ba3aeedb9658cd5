/**
 * The SQLite processes of a database file, as the system's list of processes shows them.
 */

export interface SqliteProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** It computes, or would if a processor were free. */
  readonly isRunning: boolean;
}

/** Every process that serves this file, whoever started it. */
export async function processesOf(path: string): Promise<SqliteProcessEntry[]> {
  const { stdout } = await new Deno.Command("ps", { args: ["-Awwo", "pid=,ppid=,stat=,args="] }).output();
  return new TextDecoder().decode(stdout).split("\n").flatMap((line) => {
    const [, pid, parent, state = "", args = ""] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    const isOurs = args.includes(" sqlite-process ") && args.includes(path) && !state.startsWith("Z");
    return isOurs ? [{ pid: Number(pid), parent: Number(parent), isRunning: state.startsWith("R") }] : [];
  });
}

/** Whether any process computes on this file. */
export async function isBusyWith(path: string): Promise<boolean> {
  return (await processesOf(path)).some((process) => process.isRunning);
}
