/** Small pieces become few tellings, in their order, with nothing lost. */
import assert from "node:assert/strict";
import { type Delta, DeltaBundler } from "../../../src/modes/session/delta_bundler.ts";

function text(delta: string, contentIndex = 0): Delta {
  return { type: "text_delta", contentIndex, delta };
}

Deno.test("the first piece is told at once, what follows closely is put together, and a timer tells the rest", async () => {
  const told: string[] = [];
  const isTold = Promise.withResolvers<void>();
  const bundler = new DeltaBundler(({ delta }) => {
    told.push(delta);
    if (told.length === 2) isTold.resolve();
    return Promise.resolve();
  });
  for (const piece of ["a", "b", "c"]) await bundler.take(text(piece));
  assert.equal(told[0], "a");
  await isTold.promise;
  assert.equal(told.join(""), "abc");
});

Deno.test("blocks are told in their order, one telling at a time, however slow a telling is", async () => {
  const told: string[] = [];
  let open = 0;
  const bundler = new DeltaBundler(async ({ delta, contentIndex }) => {
    assert.equal(++open, 1);
    await new Promise((go) => setTimeout(go, 60)); // longer than a piece waits: its timer begins the next one
    open--;
    told.push(...Array.from(delta, (character) => `${contentIndex}${character}`));
  });
  await bundler.take(text("a"));
  await bundler.take(text("b"));
  await new Promise((go) => setTimeout(go, 50));
  await bundler.take(text("c"));
  await bundler.take(text("d", 1));
  await bundler.flush();
  assert.deepEqual(told, ["0a", "0b", "0c", "1d"]);
});

Deno.test("a hundred thousand pieces are told in a few hundred tellings", async () => {
  let tellings = 0;
  let length = 0;
  const bundler = new DeltaBundler(({ delta }) => {
    tellings++;
    length += delta.length;
    return Promise.resolve();
  });
  for (let n = 0; n < 100_000; n++) await bundler.take(text("xy"));
  await bundler.flush();
  assert.equal(length, 200_000);
  assert.ok(tellings < 300, `${tellings} tellings`);
});

Deno.test("whoever flushes learns of a telling that failed", async () => {
  const bundler = new DeltaBundler(() => Promise.reject(new Error("no reader")));
  await assert.rejects(bundler.take(text("a")), /no reader/);
  await assert.rejects(bundler.flush(), /no reader/);
});
