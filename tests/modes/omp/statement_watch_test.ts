/** A statement that takes its time, told to a host that does not read. */
import assert from "node:assert/strict";
import { watched } from "../../../src/modes/omp/statement_watch.ts";

/** Long enough for three times of telling. */
const LONG_MS = 3300;

Deno.test("while the host does not read, what is told of a statement does not pile up", async () => {
  const told: string[] = [];
  const read = Promise.withResolvers<void>();
  const display = {
    status: async (_key: string, text: string | undefined) => {
      told.push(text ?? "gone");
      if (text !== undefined) await read.promise;
    },
    panel: () => Promise.resolve(),
  };
  const tick = () => {
    told.push("tick");
    return Promise.resolve();
  };
  const answer = watched({ display, sql: "SELECT 1", tick }, async () => {
    await new Promise((resolve) => setTimeout(resolve, LONG_MS));
    return 7;
  });
  assert.equal(await answer, 7);
  assert.equal(told.length, 2);
  assert.match(String(told[0]), /^running \d s$/);
  assert.equal(told[1], "gone");
  read.resolve();
});
