/**
 * Runs saber once with some input and gathers everything that it let out: stdout, stderr, log file and exit code.
 */
import { PATIENCE_MS } from "./patience.ts";
import { Program, type ProgramOptions } from "./program.ts";

export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly log: string;
}

export interface RunOptions extends Pick<ProgramOptions, "args" | "env" | "home"> {
  readonly input?: string;
  /** Sent this long after the input, if the program still runs; without it the end of the input ends the program. */
  readonly signal?: { readonly name: Deno.Signal; readonly afterMs: number };
}

export async function runProgram({ input = "", signal, ...options }: RunOptions): Promise<Output> {
  const folder = await Deno.makeTempDir({ prefix: "saber-output-" });
  const env = {
    SQLSABER_LOG_FILE: `${folder}/log`,
    SQLSABER_LOG_LEVEL: "DEBUG",
    SQLSABER_LOG_TO_STDERR: "1",
    ...options.env,
  };
  await using program = new Program({ ...options, env });
  await program.send(input);
  const timer = signal && setTimeout(() => program.signal(signal.name), signal.afterMs);
  if (!signal) await program.endInput();
  const lines: string[] = [];
  for (let line = await program.line(PATIENCE_MS); line !== undefined;) {
    lines.push(line);
    line = await program.line(PATIENCE_MS);
  }
  clearTimeout(timer);
  const log = await Deno.readTextFile(`${folder}/log`).catch(() => "");
  await Deno.remove(folder, { recursive: true });
  return { code: (await program.exit).code, stdout: lines.join("\n"), stderr: await program.errors(), log };
}
