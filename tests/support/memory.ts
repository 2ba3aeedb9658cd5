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
