import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import { SerialQueue } from "../../src/tools/queue.ts";

interface Turn {
  readonly signal: AbortSignal;
  readonly taken: () => void;
  readonly waits: () => void;
  readonly begun: () => void;
}

/** An operation that runs until it is told to end, and tells when it began. */
function operation() {
  const begun = Promise.withResolvers<AbortSignal>();
  const given = Promise.withResolvers<Turn>();
  const end = Promise.withResolvers<string>();
  let isBegun = false;
  const run = (turn: Turn) => {
    isBegun = true;
    begun.resolve(turn.signal);
    given.resolve(turn);
    return end.promise;
  };
  return {
    begun: begun.promise,
    run,
    end,
    /** Says that it stands in its line. */
    take: async () => (await given.promise).taken(),
    wait: async () => (await given.promise).waits(),
    /** Says that it is its turn there. */
    begin: async () => (await given.promise).begun(),
    get isBegun() {
      return isBegun;
    },
  };
}

/** Until whatever can happen without anybody doing anything has happened. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

async function run<Result>(
  queue: SerialQueue,
  work: (turn: Turn) => Promise<Result>,
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

Deno.test("one that waits in its line is not told to be running", async () => {
  const queue = new SerialQueue(10_000);
  const [first, second] = [operation(), operation()];
  const places = [queue.enter("a"), queue.enter("a")];
  const runs = [places[0]?.run(first.run, never), places[1]?.run(second.run, never)];
  const told = () => places.map((place) => place.describe());
  await first.take();
  await first.begin();
  await second.take();
  await second.wait();
  assert.deepEqual(told(), ["running 0 s", "queued behind 1"]);
  first.end.resolve("first");
  await second.begin();
  await settled();
  assert.equal(told()[1], "running 0 s");
  second.end.resolve("second");
  await Promise.all(runs);
});

Deno.test("in a line one begins when the one before it was taken, elsewhere when all before have left", async () => {
  const queue = new SerialQueue(10_000);
  const [a, b, other, c] = [operation(), operation(), operation(), operation()];
  const all = [
    queue.enter("a").run(a.run, never),
    queue.enter("a").run(b.run, never),
    queue.enter("b").run(other.run, never),
    queue.enter("a").run(c.run, never),
  ];
  await settled();
  assert.deepEqual([a.isBegun, b.isBegun, other.isBegun, c.isBegun], [true, false, false, false]);
  await a.take();
  await settled();
  assert.deepEqual([b.isBegun, other.isBegun, c.isBegun], [true, false, false]);
  await b.take();
  b.end.resolve("b");
  await settled();
  assert.deepEqual([other.isBegun, c.isBegun], [false, false], "the first has not left");
  a.end.resolve("a");
  await settled();
  assert.deepEqual([other.isBegun, c.isBegun], [true, false]);
  await other.take();
  await settled();
  assert.equal(c.isBegun, false, "being taken concerns nobody who is not in the line");
  other.end.resolve("other");
  c.end.resolve("c");
  assert.deepEqual(await Promise.all(all), ["a", "b", "other", "c"]);
});

Deno.test("in a line one that never says that it was taken lets the next begin when it leaves", async () => {
  const queue = new SerialQueue(10_000);
  const [first, second] = [operation(), operation()];
  const all = [queue.enter("a").run(first.run, never), queue.enter("a").run(second.run, never)];
  await settled();
  assert.equal(second.isBegun, false);
  first.end.reject(new Error("failed"));
  await assert.rejects(all[0] ?? Promise.resolve(), /failed/);
  second.end.resolve("second");
  assert.equal(await all[1], "second");
});

Deno.test("in a line one that is aborted while it waits does not bring the next forward", async () => {
  const queue = new SerialQueue(10_000);
  const [other, first, third] = [operation(), operation(), operation()];
  const abort = new AbortController();
  const running = queue.enter("b").run(other.run, never);
  const waiting = queue.enter("a").run(() => assert.fail("it was aborted"), abort.signal);
  const next = queue.enter("a").run(first.run, never);
  const last = queue.enter("a").run(third.run, never);
  abort.abort(new Fault("cancelled", "gone"));
  await assert.rejects(waiting, { code: "cancelled" });
  await settled();
  assert.deepEqual([first.isBegun, third.isBegun], [false, false], "what is in front has not left");
  other.end.resolve("other");
  await settled();
  assert.deepEqual([first.isBegun, third.isBegun], [true, false]);
  await first.take();
  await settled();
  assert.equal(third.isBegun, true);
  first.end.resolve("first");
  third.end.resolve("third");
  assert.deepEqual(await Promise.all([running, next, last]), ["other", "first", "third"]);
});
