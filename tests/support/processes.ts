/**
 * What still runs on this machine, for tests of what is left behind.
 */

/** Whether a process with these words in its command line lives. */
export async function isAlive(pattern: string): Promise<boolean> {
  const { stdout } = await new Deno.Command("ps", { args: ["-Awwo", "pid=,stat=,args="] }).output();
  return new TextDecoder().decode(stdout).split("\n").some((line) =>
    line.includes(pattern) && !/^\s*\d+\s+Z/.test(line)
  );
}

/** Whether it becomes true in time. */
export async function settles(isOver: () => Promise<boolean>, patienceMs = 20_000): Promise<boolean> {
  for (const end = Date.now() + patienceMs; Date.now() < end;) {
    if (await isOver()) return true;
    await new Promise((go) => setTimeout(go, 100));
  }
  return await isOver();
}
