/** Frames between the program and a SQLite process, however the bytes are cut. */
import assert from "node:assert/strict";
import { FrameReader, toFrame } from "../../../src/db/sqlite_child/frames.ts";

const blob = (length: number, seed: number) =>
  Uint8Array.from({ length }, (_, index) => (index * seed) % 251);

/** Messages of all sizes around the reader's own, and what they hold. */
const MESSAGES = [0, 1, 7, 1000, 131_000, 131_072, 131_073, 400_000, 3, 2_000_000, 5].map((
  length,
  index,
) => ({
  message: { sql: `SELECT '${"é".repeat(index)}'` },
  blobs: [blob(length, index + 1), blob(index, 3)],
}));

for (const size of [1000, 16_384, 65_536, 1_000_000]) {
  Deno.test(`chunks of ${size} bytes give every message and its blobs`, () => {
    const frames = MESSAGES.map(({ message, blobs }) => toFrame(message, blobs));
    const all = new Uint8Array(frames.reduce((sum, frame) => sum + frame.length, 0));
    frames.reduce((at, frame) => (all.set(frame, at), at + frame.length), 0);
    const reader = new FrameReader();
    let count = 0;
    for (let at = 0; at < all.length; at += size) {
      const chunk = all.slice(at, at + size);
      reader.push(chunk);
      chunk.fill(0xff); // it belongs to its owner again
      for (let frame = reader.next(); frame !== undefined; frame = reader.next()) {
        const { message, blobs: [first = blob(0, 1), second = blob(0, 1)] } = MESSAGES[count] ??
          assert.fail();
        assert.deepEqual(JSON.parse(frame.json), message);
        assert.equal(frame.blobs.length, first.length + second.length);
        assert.ok(frame.blobs.subarray(0, first.length).every((byte, index) => byte === first[index]));
        assert.ok(frame.blobs.subarray(first.length).every((byte, index) => byte === second[index]));
        count++;
      }
    }
    assert.equal(count, MESSAGES.length);
  });
}

Deno.test("bytes that come one by one give the message with the last", () => {
  const reader = new FrameReader();
  const frame = toFrame({ sql: "SELECT 1" }, [blob(10, 7)]);
  for (const byte of frame.subarray(0, -1)) {
    reader.push(Uint8Array.of(byte));
    assert.equal(reader.next(), undefined);
  }
  reader.push(frame.subarray(-1));
  assert.deepEqual(reader.next()?.blobs, blob(10, 7));
  assert.equal(reader.next(), undefined);
});
