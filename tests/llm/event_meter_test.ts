import assert from "node:assert/strict";
import { EventMeter } from "../../src/llm/event_meter.ts";

const encoder = new TextEncoder();

/** The last blank line ends an event, wherever the pieces meet. */
const STREAMS: readonly (readonly [stream: string, left: number])[] = [
  ["data: 1\n\n", 0],
  ["data: 1\r\n\r\n", 0],
  ["data: 1\n\ndata: 2\n", 8],
  ["data: 1\n\r\n\ndata", 4],
  [": a\n: b\nx\n", 10],
  ["a\r\nb\r\n", 6],
  ["\r", 1],
];

for (const [stream, left] of STREAMS) {
  Deno.test(`the event under way after ${JSON.stringify(stream)}, in pieces of any length`, () => {
    const bytes = encoder.encode(stream);
    for (let length = 1; length <= bytes.length; length++) {
      const meter = new EventMeter();
      let measured = 0;
      for (let at = 0; at < bytes.length; at += length) measured = meter.add(bytes.subarray(at, at + length));
      assert.equal(measured, left);
    }
  });
}
