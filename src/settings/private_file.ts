/**
 * A file that only its owner may read, written whole or not at all.
 */
import { Fault } from "../base/fault.ts";

/**
 * Replaces the file (0600), making its folder (0700) where it is missing. `what` names it in the error.
 * Throws Fault `unavailable`.
 */
export async function writePrivateFile(
  path: string,
  { text, what }: { readonly text: string; readonly what: string },
): Promise<void> {
  const folder = path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")));
  const staging = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(staging, text, { createNew: true, mode: 0o600 });
    await Deno.rename(staging, path);
  } catch (cause) {
    await Deno.remove(staging).catch(() => {}); // it may never have been made
    const state = `${path} cannot be written. Check that its folder can be`;
    throw new Fault("unavailable", `Cannot save ${what}: ${state}.`, { cause });
  }
}
