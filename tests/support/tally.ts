/**
 * Looks up where a mode's promises are tested: a tally names a file and words of it for each.
 */
import { readSources } from "./sources.ts";

/** The promise; the file, of the folder of dialogues or of tests; words of it. */
export type Point = readonly [promise: string, place: string, words: string];

/** Promises whose words are not where they should be, and dialogues that no promise names. */
export async function gapsOf(
  tally: readonly Point[],
  dialogues: string,
): Promise<{ readonly missing: string[]; readonly unnamed: string[]; readonly twice: string[] }> {
  const conversations = await readSources(dialogues, (path) => path.endsWith(".txt"));
  const sources = [...conversations, ...await readSources("tests", (path) => path.endsWith(".ts"))];
  const texts = new Map(sources.map(({ path, text }) => [path.replace(`${dialogues}/`, ""), text]));
  const named = new Set(tally.map(([, place]) => place));
  const promises = tally.map(([promise]) => promise);
  return {
    missing: tally.filter(([, place, words]) => !texts.get(place)?.includes(words))
      .map(([promise, place]) => `${promise}: not in ${place}`),
    unnamed: conversations.map(({ path }) => path.replace(`${dialogues}/`, "")).filter((path) =>
      !named.has(path)
    ),
    twice: promises.filter((promise, at) => promises.indexOf(promise) !== at),
  };
}
