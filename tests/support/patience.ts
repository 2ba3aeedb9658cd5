/**
 * How long the tests wait, on whatever machine and beside whatever load. No figure of a promise stands here: what takes
 * how long where nothing else runs, the bench measures.
 */

/** For something that comes in any case; only a defect outlasts it. */
export const PATIENCE_MS = 120_000;

/**
 * For something that is promised within a second or a few, where a defect would take half a minute or for ever: a machine
 * that is much slower than that, or busy, still passes.
 */
export const SOON_MS = 25_000;
