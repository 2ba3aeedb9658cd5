/**
 * A foreign program as a child process that runs to its end.
 */
import assert from "node:assert/strict";
import { repository } from "./sources.ts";

export interface PeerProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: { readonly [name: string]: string };
}

/** What it prints; fails with all of it when it does not end well. */
export async function runPeer({ command, args, env = {} }: PeerProgram): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    cwd: repository,
    env: { ...env, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const text = new TextDecoder().decode(stdout);
  assert.ok(success, `${new TextDecoder().decode(stderr)}\n${text}`);
  return text;
}
