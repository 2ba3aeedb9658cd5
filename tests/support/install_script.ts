/**
 * Runs one of the install scripts beside this file, which do nothing where what they install is there.
 */
import { repository } from "./sources.ts";

/** `name` without its folder, such as `install_tmux.sh`. Throws what the script said when it failed. */
export async function runInstallScript(name: string): Promise<void> {
  const script = new URL(`tests/support/${name}`, repository).pathname;
  const { success, stderr } = await new Deno.Command(script, { stdin: "null" }).output();
  if (!success) throw new Error(`Test setup: ${script} failed: ${new TextDecoder().decode(stderr)}`);
}
