/**
 * What a bench is: the cost of something next to the cost of a baseline, both measured in the same run and in turns.
 */

export interface Bench {
  /** What is measured, such as "saber rpc until ready". */
  readonly name: string;
  /** What it is compared with. */
  readonly baseline: string;
  /** The promise that the README makes: a median in milliseconds, or a ratio of the medians. */
  readonly limit?: { readonly ms: number } | { readonly ratio: number };
  run(): Promise<Samples>;
}

/** Milliseconds of each turn. */
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

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
}
