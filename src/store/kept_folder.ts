/**
 * The folder of results and artifacts that are kept with saved threads and session files, and the sweep that removes what
 * none of them mentions any more.
 */
import type { ShelfFolder } from "./shelf.ts";

const DAY_MS = 24 * 3600 * 1000;
const MARKER = ".swept";
const LOCK = ".sweep-lock";
/** In the folder of a result or artifact: paths of the documents besides the threads that mention it, one a line. */
const HOLDERS = ".holders";
const ID = /(?:qr|art)_[0-9a-f]{32}/g;

/** `results` in the data folder, made with mode 0700 where it is missing. */
export async function keptFolder(data: string): Promise<ShelfFolder> {
  const path = `${data}/results`;
  await Deno.mkdir(path, { recursive: true, mode: 0o700 });
  return {
    path,
    close: () => Promise.resolve(),
    sweep: async (texts) => await sweep(path, texts),
    hold: async (id, document) => await hold(`${path}/${id}`, document),
  };
}

/** What is not there is not held; what cannot be noted is only removed earlier. */
async function hold(folder: string, document: string): Promise<void> {
  if ((await holders(folder)).includes(document)) return;
  await Deno.writeTextFile(`${folder}/${HOLDERS}`, `${document}\n`, { append: true, mode: 0o600 })
    .catch(() => {});
}

/** Paths of the documents that mentioned it. */
async function holders(folder: string): Promise<string[]> {
  const text = await Deno.readTextFile(`${folder}/${HOLDERS}`).catch(() => "");
  return text.split("\n").filter((line) => line !== "");
}

/** Whether one of them still does. */
async function isHeld(folder: string, id: string): Promise<boolean> {
  for (const document of await holders(folder)) {
    const text = await Deno.readTextFile(document).catch(() => "");
    if (text.includes(id)) return true;
  }
  return false;
}

/**
 * At most once a day, by one process at a time: removes what is older than a day and whose id stands in none of the texts.
 * The ids are looked for in the text itself, so that a turn which can no longer be read still keeps what it holds.
 * When the texts cannot be had, nothing is removed.
 */
async function sweep(path: string, texts: () => Iterable<string>): Promise<void> {
  if (await ageOf(`${path}/${MARKER}`) < DAY_MS) return;
  using lock = await Deno.open(`${path}/${LOCK}`, { create: true, write: true, mode: 0o600 });
  if (!await lock.tryLock(true)) return;
  const live = new Set<string>();
  for (const text of texts()) for (const [id] of text.matchAll(ID)) live.add(id);
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    if (!isDirectory || live.has(name) || await ageOf(`${path}/${name}`) < DAY_MS) continue;
    if (await isHeld(`${path}/${name}`, name)) continue;
    await Deno.remove(`${path}/${name}`, { recursive: true });
  }
  await Deno.writeTextFile(`${path}/${MARKER}`, "", { mode: 0o600 });
}

/** Milliseconds since it was last written; infinite for what is not there. */
async function ageOf(path: string): Promise<number> {
  const { mtime } = await Deno.stat(path).catch(() => ({ mtime: null }));
  return mtime ? Date.now() - mtime.getTime() : Infinity;
}
