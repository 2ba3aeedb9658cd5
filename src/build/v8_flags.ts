/**
 * The V8 flags that the executable is built with. `deno run` takes them from the environment variable DENO_V8_FLAGS.
 */

/**
 * Rows and messages only pass through: a small young generation keeps memory small, and an old one that may double before
 * it is collected, from a small beginning, keeps it level under load.
 */
export const V8_FLAGS = "--max-semi-space-size=1,--initial-old-space-size=24,--heap-growing-percent=100";
