/**
 * What starting a database server for tests takes, whichever it is: a folder, a port, a user, and an end that comes
 * also when the test run was killed.
 */
import { dirname, join } from "node:path";

/** The user a server runs as when the tests run as root, which servers refuse. */
const NOBODY = 65534;

/**
 * Runs the server's command, and ends it and removes its folder when the test run is gone, however that ended.
 * Signals from a terminal reach the whole group; the script must survive them to clean up.
 */
const KEEPER = `
trap '' INT TERM HUP
owner=$1 folder=$2
shift 2
"$@" >>"$folder/log" 2>&1 &
server=$!
while [ -d /proc/$owner ] && [ -d "$folder" ]; do sleep 0.3; done
kill -QUIT $server
for try in 1 2 3 4 5; do kill -0 $server 2>/dev/null && sleep 0.2; done
kill -KILL $server
wait $server
rm -rf "$folder"`;

/** Starts a server whose folder goes with it when this test run ends. */
export async function keepServer(folder: string, command: readonly string[]): Promise<void> {
  // the keeper is no child of ours: a test that starts one would have to see it end
  const args = ["-c", `sh -c "$0" sh "$@" &`, KEEPER, String(Deno.pid), folder, ...command];
  await new Deno.Command("sh", { args, ...unprivileged(), stdin: "null", stdout: "null", stderr: "null" })
    .output();
}

/** A folder that all files of this test run share; `isNew` for the one that made it and has to fill it. */
export async function sharedFolder(name: string): Promise<{ folder: string; isNew: boolean }> {
  const temp = await Deno.makeTempDir();
  await Deno.remove(temp);
  const folder = join(dirname(temp), `saber-${name}-of-${Deno.pid}`);
  try {
    await Deno.mkdir(folder);
    return { folder, isNew: true };
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return { folder, isNew: false };
    throw error;
  }
}

/** Hands what a test run as root has put into the folder to the server's user. */
export async function giveAway(folder: string): Promise<void> {
  if (Deno.uid() !== 0) return;
  for await (const { name } of Deno.readDir(folder)) await Deno.chown(join(folder, name), NOBODY, NOBODY);
  await Deno.chown(folder, NOBODY, NOBODY);
}

/** How to run a command that must not be root's. */
export function unprivileged(): { uid?: number; gid?: number; cwd: string } {
  return Deno.uid() === 0 ? { uid: NOBODY, gid: NOBODY, cwd: "/" } : { cwd: "/" };
}

/** Systems give connections that leave a port above these, so that a server finds its own free also when it starts again. */
const PORTS = { first: 15_000, count: 17_000 };

/** A TCP port of the loopback interface that nobody used a moment ago. */
export function freePort(): number {
  while (true) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

/** Waits for a condition, a minute at most. */
export async function until(condition: () => Promise<boolean>, complaint: string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!await condition()) {
    if (Date.now() > end) throw new Error(`Test setup: ${complaint} after a minute`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
