/**
 * `saber db test`: connects to a database and lets it answer one question.
 */
import { abortable } from "../../base/abortable.ts";
import type { App, Io, Mode } from "../../app.ts";
import { duration } from "../../term/count_and_time.ts";
import { printLines } from "../print.ts";
import { waiting } from "../waiting.ts";

export const test: Mode = {
  usage: {
    line: "db test [NAME] [flags]",
    summary: "Connect to a database: a saved one, a file or an address; the default if left out.",
    flags: ["database", "timeout"],
    words: 1,
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const databases = await app.openDatabases([...app.given.words, ...app.config.databases]);
  const signal = io.stop;
  try {
    for (const { name, displayName } of databases.list) {
      const start = performance.now();
      using _wait = await waiting(app, { io, label: `connecting to ${name}` });
      const database = await abortable(databases.get(name), signal);
      const caps = { unlimited: 1, limited: 1 };
      const cursor = await database.run({ sql: "SELECT 1", caps, signal });
      for await (const _ of cursor.batches); // it answers when its rows have come
      await printLines(io, [`${name} (${displayName}) answers: ${duration(performance.now() - start)}.`]);
    }
  } finally {
    await databases.close();
  }
  return 0;
}
