/**
 * The writer against sinks in the same process. Real pipes are in process_test.ts.
 */
import assert from "node:assert/strict";
import { LineWriter, type Sink } from "../../src/wire/writer.ts";

/** A sink that collects, as fast as `gate` lets it. */
class Collector implements Sink {
  readonly writes: string[] = [];
  gate: Promise<void> = Promise.resolve();
  #decoder = new TextDecoder();

  async write(bytes: Uint8Array): Promise<number> {
    await this.gate;
    this.writes.push(this.#decoder.decode(bytes, { stream: true }));
    return bytes.length;
  }

  get text(): string {
    return this.writes.join("");
  }
}

/** Whether a promise has settled by the time every ready task has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol();
  const later = new Promise((resolve) => setTimeout(resolve, 5, pending));
  return await Promise.race([promise, later]) !== pending;
}

const MIB = 1 << 20;

Deno.test("lines of one turn are one write, in order", async () => {
  const sink = new Collector();
  const writer = new LineWriter(sink);
  for (const line of ["a", "ü😀", "c"]) void writer.write(line);
  await writer.drain();
  assert.deepEqual(sink.writes, ["a\nü😀\nc\n"]);
  await writer.write("d");
  await writer.drain();
  assert.deepEqual(sink.writes, ["a\nü😀\nc\n", "d\n"]);
});

Deno.test("a sink that takes a few bytes at a time gets every byte once", async () => {
  const taken: number[] = [];
  const writer = new LineWriter({
    write: (bytes) => {
      taken.push(...bytes.subarray(0, 3));
      return Promise.resolve(Math.min(3, bytes.length));
    },
  });
  void writer.write("schön 😀 ".repeat(20));
  await writer.drain();
  assert.equal(new TextDecoder().decode(Uint8Array.from(taken)), "schön 😀 ".repeat(20) + "\n");
});

Deno.test("a write waits while the other side does not read, and goes on when it does", async () => {
  const sink = new Collector();
  const { promise, resolve } = Promise.withResolvers<void>();
  sink.gate = promise;
  const writer = new LineWriter(sink);
  assert.equal(await isSettled(writer.write("x".repeat(MIB - 2))), true);
  const waiting = writer.write("y");
  assert.equal(await isSettled(waiting), false);
  resolve();
  await waiting;
  await writer.drain();
  assert.equal(sink.text, "x".repeat(MIB - 2) + "\ny\n");
});

Deno.test("a waiting write goes on as soon as the queue is short, though others keep writing", async () => {
  let turns = 0;
  const writer = new LineWriter({
    write: async (bytes) => {
      if (turns++ < 100) void writer.write("next");
      await Promise.resolve();
      return bytes.length;
    },
  });
  await writer.write("x".repeat(2 * MIB));
  assert.ok(turns < 5, `went on after ${turns} writes`);
  await writer.drain();
  assert.equal(turns, 101);
});

Deno.test("a broken pipe is told, releases who waits, and swallows what follows", async () => {
  let writes = 0;
  const writer = new LineWriter({
    write: () => {
      writes++;
      return Promise.reject(new Deno.errors.BrokenPipe());
    },
  });
  const waiting = writer.write("x".repeat(2 * MIB));
  await Promise.all([waiting, writer.broken, writer.drain()]);
  await writer.write("y".repeat(2 * MIB));
  await writer.drain();
  assert.equal(writes, 1);
});
