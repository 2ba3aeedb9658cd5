/**
 * Threads of the Python program taken over into the program's own store. Its file is only read.
 */
import { Fault } from "../base/fault.ts";
import { listPythonThreads, readPythonThread } from "./python_threads.ts";
import type { ThreadStore } from "./threads.ts";
import type { StoredMessage } from "./transcript.ts";

export interface ImportOptions {
  /** Of the Python program's threads. */
  readonly path: string;
  readonly store: ThreadStore;
  /** Of one thread; all of them when left out. */
  readonly id: string | undefined;
}

/** How many threads were new. Throws Fault `unavailable` for one that is not there or cannot be read. */
export async function importThreads({ path, store, id }: ImportOptions): Promise<number> {
  const ids = id === undefined ? await listPythonThreads(path) : [id];
  let added = 0;
  for (const each of ids) {
    const thread = await readPythonThread(path, each).catch((cause) => {
      throw new Fault("unavailable", `Cannot import the thread ${JSON.stringify(each)}: it cannot be read.`, {
        cause,
      });
    });
    if (!thread) {
      throw new Fault(
        "unavailable",
        `Cannot import the thread ${JSON.stringify(each)}: there is none in ${path}.`,
      );
    }
    const { messages, ...info } = thread;
    if (await store.adopt(info, turnsOf(messages))) added++;
  }
  return added;
}

/** A turn begins with what the user said. */
function turnsOf(messages: readonly StoredMessage[]): StoredMessage[][] {
  const turns: StoredMessage[][] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last && message.role !== "user") last.push(message);
    else turns.push([message]);
  }
  return turns;
}
