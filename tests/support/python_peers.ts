/**
 * A Python of the tests' own, with the clients of tests/peers/requirements.txt. It is made once, in a virtual
 * environment, so that nothing of the system's Python changes.
 */
import { join } from "node:path";
import { cachedFolder } from "./cached_folder.ts";
import { runPeer } from "./peer_program.ts";
import { repository } from "./sources.ts";

const REQUIREMENTS = new URL("../peers/requirements.txt", import.meta.url);

/** The path of the interpreter. */
export async function pythonPeer(): Promise<string> {
  const isWindows = Deno.build.os === "windows";
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(REQUIREMENTS));
  const name = `python-${new Uint8Array(digest).toHex().slice(0, 16)}`;
  const program = (folder: string) =>
    join(folder, ...isWindows ? ["Scripts", "python.exe"] : ["bin", "python"]);
  const folder = await cachedFolder(name, async (staging) => {
    if (Deno.build.os === "linux") {
      const script = new URL("tests/support/install_python.sh", repository).pathname;
      await runPeer({ command: "sh", args: [script] });
    }
    await runPeer({ command: isWindows ? "python" : "python3", args: ["-m", "venv", staging] });
    const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
    await runPeer({ command: program(staging), args: [...install, REQUIREMENTS.pathname] });
  });
  return program(folder);
}
