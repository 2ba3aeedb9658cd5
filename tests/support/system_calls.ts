/**
 * The system calls by which programs open files, connect and start programs, as strace shows them: of a program that is started
 * here with all its children, or of servers that run already.
 */
import { runInstallScript } from "./install_script.ts";

/** Opening files, connecting, starting programs; long enough to show every path and argument. */
const WATCH = ["-f", "-qq", "-s", "4096", "-e", "trace=open,openat,openat2,connect,execve,execveat"];

export interface SystemCall {
  readonly pid: number;
  readonly name: string;
  /** Its arguments and its result; of a call that was interrupted in the list, the arguments alone. */
  readonly text: string;
}

/** Installs strace where it is missing. */
export async function needStrace(): Promise<void> {
  await runInstallScript("install_strace.sh");
}

/** The command line that runs a command, as the child it would be by itself, and writes its calls to a file. */
export function traced(command: readonly string[], file: string): string[] {
  return ["strace", "-D", "--seccomp-bpf", ...WATCH, "-o", file, ...command];
}

export interface Watch extends AsyncDisposable {
  calls(): Promise<SystemCall[]>;
}

/** Watches programs that run already, with all their threads and children. */
export async function watchRunning(pids: readonly number[], file: string): Promise<Watch> {
  const asRoot = Deno.uid() === 0 ? [] : ["sudo"]; // they need not be our children
  const [program = "", ...args] = [
    ...asRoot,
    "strace",
    ...WATCH.filter((word) => word !== "-qq"),
    "-o",
    file,
  ];
  const child = new Deno.Command(program, {
    args: [...args, ...pids.flatMap((pid) => ["-p", String(pid)])],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  await attached(child.stderr, pids);
  return {
    calls: () => readCalls(file),
    async [Symbol.asyncDispose]() {
      child.kill("SIGINT");
      await child.status;
    },
  };
}

/** Waits until strace says of each that it watches it, and lets it go on talking. */
async function attached(said: ReadableStream<Uint8Array>, pids: readonly number[]): Promise<void> {
  let text = "";
  const all = Promise.withResolvers<void>();
  (async () => {
    for await (const piece of said.pipeThrough(new TextDecoderStream())) {
      text += piece;
      if (pids.every((pid) => text.includes(`Process ${pid} attached`))) all.resolve();
    }
    all.reject(new Error(`strace cannot watch: ${text}`));
  })();
  await all.promise;
}

export async function readCalls(file: string): Promise<SystemCall[]> {
  const text = await Deno.readTextFile(file);
  return text.split("\n").flatMap((line) => {
    const [, pid, name = "", rest = ""] = /^(\d+)\s+(\w+)\((.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), name, text: rest }];
  });
}
