/**
 * Dates from the protocol's bytes, and from the text that comes where a statement can't be prepared.
 */
import assert from "node:assert/strict";
import { toDate, toMoment } from "../../../src/db/mysql/dates.ts";

const text = (value: string) => new TextEncoder().encode(value);
const bytes = (...values: number[]) => new Uint8Array(values);
const HALF = [0xe8, 0x07, 2, 9, 3, 4, 5, 0x20, 0xa1, 0x07, 0];
const UTC = { decimals: 6, zone: "+00:00" };
const NAIVE = { decimals: 0, zone: "" };

Deno.test("dates from bytes and from text", () => {
  assert.equal(toDate(bytes(0xe8, 0x07, 2, 29)), "2024-02-29");
  assert.equal(toDate(bytes(1, 0, 1, 1)), "0001-01-01");
  assert.equal(toDate(bytes()), "0000-00-00");
  assert.equal(toDate(text("2024-02-29")), "2024-02-29");
});

Deno.test("moments from bytes", () => {
  assert.equal(toMoment(bytes(0xe8, 0x07, 2, 9, 3, 4, 5), NAIVE), "2024-02-09T03:04:05");
  assert.equal(toMoment(bytes(0xe8, 0x07, 2, 9), UTC), "2024-02-09T00:00:00+00:00");
  assert.equal(
    toMoment(bytes(0xe8, 0x07, 2, 9, 3, 4, 5, 1, 0, 0, 0), UTC),
    "2024-02-09T03:04:05.000001+00:00",
  );
  assert.equal(toMoment(bytes(...HALF), { decimals: 3, zone: "" }), "2024-02-09T03:04:05.500");
  assert.equal(toMoment(bytes(...HALF), { decimals: 31, zone: "" }), "2024-02-09T03:04:05.500000");
  assert.equal(toMoment(bytes(0xe8, 0x07, 0, 9, 3, 4, 5), UTC), "2024-00-09 03:04:05");
  assert.equal(toMoment(bytes(), UTC), "0000-00-00 00:00:00");
});

Deno.test("moments from text", () => {
  assert.equal(toMoment(text("2024-02-09 03:04:05"), UTC), "2024-02-09T03:04:05+00:00");
  assert.equal(toMoment(text("2024-02-09 03:04:05.120"), NAIVE), "2024-02-09T03:04:05.120");
  assert.equal(toMoment(text("2024-02-00 03:04:05"), UTC), "2024-02-00 03:04:05");
});
