/**
 * The SQLite processes of a database file, as the system's list of processes shows them.
 */

export interface SqliteProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** It computes, or would if a processor were free. */
  readonly isRunning: boolean;
  readonly commandLine: string;
}

/** Every process that serves this file, whoever started it. */
export async function processesOf(path: string): Promise<SqliteProcessEntry[]> {
  const { stdout } = await new Deno.Command("ps", { args: ["-Awwo", "pid=,ppid=,stat=,args="] }).output();
  return new TextDecoder().decode(stdout).split("\n").flatMap((line) => {
    const [, pid, parent, state = "", commandLine = ""] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ??
      [];
    const isOurs = commandLine.includes(" sqlite-process ") && commandLine.includes(path);
    const isRunning = state.startsWith("R");
    return isOurs && !state.startsWith("Z")
      ? [{ pid: Number(pid), parent: Number(parent), isRunning, commandLine }]
      : [];
  });
}

/** Whether any process computes on this file. */
export async function isBusyWith(path: string): Promise<boolean> {
  return (await processesOf(path)).some((process) => process.isRunning);
}
