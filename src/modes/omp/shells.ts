/**
 * The user's own shell commands: each in a process group of its own, with a bounded output and without our secrets in
 * its environment.
 */
import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { pause } from "../../base/pause.ts";
import { Tail } from "./tail.ts";

export interface ShellOptions {
  readonly cwd: string;
  readonly environment: App["config"]["environment"];
  readonly inheritsSecrets: boolean;
}

export interface ShellResult {
  readonly output: string;
  readonly exitCode?: number;
  readonly cancelled: boolean;
  readonly truncated: boolean;
  readonly totalLines: number;
  readonly totalBytes: number;
  readonly outputLines: number;
  readonly outputBytes: number;
  readonly fullOutputPath?: string;
}

/** Names of variables that hold keys, passwords or addresses with either in them. */
const SECRET = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|DSN|DATABASE_URL)$/i;
/** Values that are addresses with a password. */
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/[^/\s]*:[^/\s]*@/i;
const MAX_RUNNING = 16;
/** The user's own shell, unless it is one that lets nobody in or is not there; then the system's. */
const START = 'case "$SHELL" in ""|*/nologin|*/false) SHELL=sh;; esac; ' +
  'command -v "$SHELL" >/dev/null 2>&1 || SHELL=sh; exec "$SHELL" -c "$0" 2>&1';
/** From the request to end to the end by force. */
const GRACE_MS = 300;

export class Shells {
  readonly #options: ShellOptions;
  readonly #running = new Map<Deno.ChildProcess, AbortController>();

  constructor(options: ShellOptions) {
    this.#options = options;
  }

  /** An aborted signal ends it. Throws Fault: busy when too many run, unavailable where there is no shell. */
  async run(
    command: string,
    { signal = undefined }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<ShellResult> {
    if (this.#running.size >= MAX_RUNNING) {
      throw new Fault(
        "busy",
        `Cannot run the command: ${MAX_RUNNING} run already. Wait, or send abort_bash.`,
      );
    }
    const child = this.#start(command);
    const cancel = new AbortController();
    this.#running.set(child, cancel);
    cancel.signal.addEventListener("abort", () => void this.#end(child));
    const stop = () => cancel.abort();
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    const tail = new Tail();
    try {
      // what was left behind in the background may hold the output open for ever
      await Promise.race([drain(child, tail), child.status.then(() => pause(GRACE_MS, cancel.signal))]);
      const { code } = await child.status;
      const cancelled = cancel.signal.aborted;
      const shown = await tail.finish(cancelled ? "[Command cancelled]" : "");
      return { ...shown, cancelled, ...(cancelled ? {} : { exitCode: code }) };
    } finally {
      this.#running.delete(child);
      signal?.removeEventListener("abort", stop);
      if (!cancel.signal.aborted) await signalGroup(child, "KILL");
    }
  }

  /** Settles when none runs. */
  async over(): Promise<void> {
    await Promise.allSettled(Array.from(this.#running.keys(), ({ status }) => status));
  }

  /** Ends all that run. */
  abort(): void {
    for (const cancel of this.#running.values()) cancel.abort();
  }

  #start(command: string): Deno.ChildProcess {
    try {
      return new Deno.Command("sh", {
        args: ["-c", START, command],
        cwd: this.#options.cwd,
        clearEnv: true,
        env: this.#environment(),
        stdin: "null",
        stdout: "piped",
        stderr: "null",
        detached: true,
      }).spawn();
    } catch (cause) {
      throw new Fault("unavailable", "Cannot run the command: no shell named sh can be started.", { cause });
    }
  }

  #environment(): Record<string, string> {
    const { environment, inheritsSecrets } = this.#options;
    const kept = Object.entries(environment).flatMap(([name, value]): [string, string][] => {
      if (value === undefined) return [];
      const isSecret = SECRET.test(name) || ADDRESS.test(value);
      return isSecret && !inheritsSecrets ? [] : [[name, value]];
    });
    return Object.fromEntries(kept);
  }

  async #end(child: Deno.ChildProcess): Promise<void> {
    await signalGroup(child, "TERM");
    await Promise.race([child.status, pause(GRACE_MS)]);
    await signalGroup(child, "KILL");
  }
}

/** A process may be signalled by us only one by one; the shell knows groups. */
async function signalGroup({ pid }: Deno.ChildProcess, name: "TERM" | "KILL"): Promise<void> {
  const command = new Deno.Command("sh", {
    args: ["-c", `kill -s ${name} -- -${pid}`],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  });
  await command.output().catch(() => undefined);
}

async function drain(child: Deno.ChildProcess, tail: Tail): Promise<void> {
  for await (const chunk of child.stdout) await tail.add(chunk);
}
