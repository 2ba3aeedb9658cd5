/**
 * What a bench is: the cost of something next to the cost of a baseline, both measured in the same run and in turns.
 */

export interface Bench {
  /** What is measured, such as "saber rpc until ready". */
  readonly name: string;
  /** What it is compared with. */
  readonly baseline: string;
  /** What a sample counts; milliseconds when left out. */
  readonly unit?: "MiB";
  /** Which of the sorted samples counts, from 0 to 1; the median when left out. */
  readonly quantile?: number;
  /** The promise that the README makes: so many milliseconds or MiB, or a ratio. */
  readonly limit?: { readonly ms: number } | { readonly mib: number } | { readonly ratio: number };
  run(): Promise<Samples>;
}

/** One sample of each turn. */
export interface Samples {
  readonly measured: readonly number[];
  readonly baseline: readonly number[];
}

export interface TurnOptions {
  readonly turns: number;
  /** Turns before the ones that count. */
  readonly warmUp: number;
  /** Things done in one turn, which then counts as one of them. */
  readonly perTurn?: number;
}

/** What it leaves behind is disposed of when the clock has stopped. */
type Work = () => Promise<AsyncDisposable | void>;

/** Measures both in turns, so that what disturbs the machine disturbs both. */
export async function inTurns(
  work: { measured: Work; baseline: Work },
  options: TurnOptions,
): Promise<Samples> {
  const measured: number[] = [];
  const baseline: number[] = [];
  for (let turn = -options.warmUp; turn < options.turns; turn++) {
    const times = [await time(work.baseline), await time(work.measured)].map((ms) =>
      ms / (options.perTurn ?? 1)
    );
    if (turn < 0) continue;
    baseline.push(times[0] ?? 0);
    measured.push(times[1] ?? 0);
  }
  return { measured, baseline };
}

const NOTHING: AsyncDisposable = { [Symbol.asyncDispose]: () => Promise.resolve() };

async function time(work: Work): Promise<number> {
  const start = performance.now();
  await using _left = await work() ?? NOTHING;
  return performance.now() - start;
}

/** The value below which this part of the samples lies; between two samples, on the line that joins them. */
export function quantile(samples: readonly number[], part: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const place = part * (sorted.length - 1);
  const [lower, upper] = [sorted[Math.floor(place)] ?? NaN, sorted[Math.ceil(place)] ?? NaN];
  return lower + (upper - lower) * (place % 1);
}
