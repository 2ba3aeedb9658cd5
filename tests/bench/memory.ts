/**
 * How much memory reading a result of 1,000,000 rows through the contract takes beyond what the process, with those that
 * it started, had after its first answer.
 */
import type { Target } from "../../src/db/driver.ts";
import { familyMiB } from "../support/memory.ts";
import { Program } from "../support/program.ts";
import type { Bench, Samples } from "./bench.ts";

const PATIENCE_MS = 60_000;
const EVERY_MS = 50;
const TURNS = 3;

export interface LongResult {
  readonly target: Target;
  /** Gives 1,000,000 rows. */
  readonly sql: string;
}

/** `withResult` makes the data, hands it over, and removes it. */
export function memoryBench(
  engine: string,
  withResult: (use: (result: LongResult) => Promise<Samples>) => Promise<Samples>,
): Bench {
  return {
    name: `${engine}: memory while 1,000,000 rows are read`,
    baseline: "after the first answer",
    unit: "MiB",
    limit: { mib: 60 },
    run: () => withResult(measure),
  };
}

async function measure({ target, sql }: LongResult): Promise<Samples> {
  const samples = { measured: [] as number[], baseline: [] as number[] };
  for (let turn = 0; turn < TURNS; turn++) {
    await using reader = new Program({
      command: ["deno", "run", "-q", "-P=test", "tests/bench/drain_rows.ts"],
      args: [JSON.stringify(target), sql],
    });
    await answer(reader, "open");
    const start = await familyMiB(reader.pid);
    await reader.send("\n");
    const done = answer(reader, "1000000");
    samples.measured.push(await peakUntil(done, reader.pid) - start);
    samples.baseline.push(start);
  }
  return samples;
}

async function answer(reader: Program, expected: string): Promise<void> {
  const line = await reader.line(PATIENCE_MS);
  if (line !== expected) throw new Error(`the reader said ${line} instead of ${expected}`);
}

async function peakUntil(done: Promise<void>, pid: number): Promise<number> {
  let isDone = false;
  const end = done.finally(() => isDone = true);
  let peak = 0;
  while (!isDone) {
    peak = Math.max(peak, await familyMiB(pid));
    await Promise.race([end, new Promise((resolve) => setTimeout(resolve, EVERY_MS))]);
  }
  await end;
  return peak;
}
