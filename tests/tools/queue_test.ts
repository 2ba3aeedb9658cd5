import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import { SerialQueue } from "../../src/tools/queue.ts";

/** An operation that runs until it is told to end, and tells when it began. */
function operation() {
  const begun = Promise.withResolvers<AbortSignal>();
  const end = Promise.withResolvers<string>();
  const run = (signal: AbortSignal) => {
    begun.resolve(signal);
    return end.promise;
  };
  return { begun: begun.promise, run, end };
}

async function run<Result>(
  queue: SerialQueue,
  work: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  return await queue.enter().run(work, signal);
}

const never = new AbortController().signal;

Deno.test("operations run one at a time in order, also after a failure", async () => {
  const queue = new SerialQueue(10_000);
  const order: string[] = [];
  const step = (name: string, fails = false) =>
    run(queue, async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      order.push(`${name} ends`);
      if (fails) throw new Error(name);
    }, never);
  const all = await Promise.allSettled([step("a"), step("b", true), step("c")]);
  assert.deepEqual(all.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
  assert.deepEqual(order, ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

Deno.test("an aborted call leaves the queue at once and is never run", async () => {
  const queue = new SerialQueue(10_000);
  const first = operation();
  const running = run(queue, first.run, never);
  const abort = new AbortController();
  const waiting = run(queue, () => assert.fail("it was aborted"), abort.signal);
  const third = run(queue, () => Promise.resolve("third"), never);
  abort.abort(new Fault("cancelled", "gone"));
  await assert.rejects(waiting, { code: "cancelled" });
  first.end.resolve("first");
  assert.deepEqual(await Promise.all([running, third]), ["first", "third"]);
});

Deno.test("an abort reaches the running operation, and the next waits for its clean-up", async () => {
  const queue = new SerialQueue(10_000);
  const first = operation();
  const abort = new AbortController();
  const running = run(queue, first.run, abort.signal);
  const signal = await first.begun;
  const second = operation();
  const next = run(queue, second.run, never);
  abort.abort(new Fault("cancelled", "gone"));
  assert.ok(signal.aborted);
  const raced = await Promise.race([
    second.begun,
    new Promise((resolve) => setTimeout(resolve, 30, "waits")),
  ]);
  assert.equal(raced, "waits");
  first.end.reject(new Error("interrupted"));
  await assert.rejects(running, { code: "cancelled" });
  second.end.resolve("second");
  assert.equal(await next, "second");
});

Deno.test("at the deadline a waiting call and a running one are busy", async () => {
  const queue = new SerialQueue(40);
  const first = operation();
  const running = run(queue, first.run, never);
  const waiting = run(queue, () => assert.fail("too late"), never);
  await assert.rejects(waiting, { code: "busy" });
  assert.ok((await first.begun).aborted);
  first.end.reject(new Error("interrupted"));
  await assert.rejects(running, { code: "busy" });
  assert.equal(await run(queue, () => Promise.resolve("free"), never), "free");
});

Deno.test("more than a thousand calls are refused", async () => {
  const queue = new SerialQueue(10_000);
  const first = operation();
  const running = run(queue, first.run, never);
  await first.begun;
  const waiting = Array.from({ length: 999 }, (_, index) => run(queue, () => Promise.resolve(index), never));
  await assert.rejects(run(queue, () => Promise.resolve(-1), never), { code: "busy" });
  first.end.resolve("first");
  await running;
  assert.deepEqual(await Promise.all(waiting), Array.from({ length: 999 }, (_, index) => index));
});

Deno.test("a place tells how it stands", async () => {
  const queue = new SerialQueue(10_000);
  const places = [queue.enter(), queue.enter(), queue.enter()];
  const first = operation();
  const runs = places.map((place, index) =>
    place.run(index === 0 ? first.run : () => Promise.resolve("done"), never)
  );
  await first.begun;
  assert.deepEqual(places.map((place) => place.describe()), [
    "running 0 s",
    "queued behind 1",
    "queued behind 2",
  ]);
  first.end.resolve("first");
  await Promise.all(runs);
});
