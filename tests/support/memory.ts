/**
 * The memory of another process, as Linux tells it.
 */

/** Resident memory in MiB. Reading /proc directly needs every permission, so `cat` does it. */
export async function residentMiB(pid: number): Promise<number> {
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/status`] }).output();
  const kilobytes = /VmRSS:\s+(\d+)/.exec(new TextDecoder().decode(stdout))?.[1];
  if (kilobytes === undefined) throw new Error(`Cannot read the memory of process ${pid}: it has ended.`);
  return Number(kilobytes) / 1024;
}

/**
 * Resident memory in MiB of a process and of those that it started. Pages of files count once, in the process that has
 * most of them: what a program starts here is itself once more, and the system keeps its pages once.
 */
export async function familyMiB(root: number): Promise<number> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "pid=", "--ppid", String(root)] }).output();
  const pids = [String(root), ...new TextDecoder().decode(stdout).split(/\s+/).filter((pid) => pid !== "")];
  const paths = pids.map((pid) => `/proc/${pid}/status`);
  const statuses = new TextDecoder().decode((await new Deno.Command("cat", { args: paths }).output()).stdout);
  const kilobytes = (name: string) =>
    Array.from(statuses.matchAll(new RegExp(`^${name}:\\s+(\\d+)`, "gm")), ([, value]) => Number(value));
  const own = kilobytes("RssAnon").reduce((sum, each) => sum + each, 0);
  return (own + Math.max(...kilobytes("RssFile"))) / 1024;
}
