/**
 * The processor time of a process and its children, as Linux tells it.
 */

/** Seconds of processor time that the process and all below it have used so far; of what has ended, nothing. */
export async function cpuSeconds(pid: number): Promise<number> {
  const { stdout } = await new Deno.Command("ps", { args: ["-Awwo", "pid=,ppid=,cputimes="] }).output();
  const rows = new TextDecoder().decode(stdout).trim().split("\n").map((line) =>
    line.trim().split(/\s+/).map(Number)
  );
  const family = new Set([pid]);
  for (let grown = true; grown;) {
    const before = family.size;
    for (const [child = 0, parent = 0] of rows) if (family.has(parent)) family.add(child);
    grown = family.size > before;
  }
  return rows.reduce((sum, [member = 0, , seconds = 0]) => family.has(member) ? sum + seconds : sum, 0);
}
