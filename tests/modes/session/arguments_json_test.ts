import assert from "node:assert/strict";
import { toJson } from "../../../src/base/json.ts";
import { argumentsJson } from "../../../src/modes/session/arguments_json.ts";

const shown = (text: string) => toJson(argumentsJson(text));

Deno.test("arguments are shown digit for digit, on one line", () => {
  assert.equal(shown('{"n": 12345678901234567890,\n"d":1.50}'), '{"n": 12345678901234567890, "d":1.50}');
  assert.equal(shown('{"a":"\u2028"}'), '{"a":"\\u2028"}');
});

Deno.test("half a surrogate pair is replaced, whatever stands around it, and nothing else is", () => {
  for (
    const [text, expected] of [
      [
        String.raw`{"n":12345678901234567890,"a":"\ud800"}`,
        String.raw`{"n":12345678901234567890,"a":"\ufffd"}`,
      ],
      [String.raw`{"a":"\uDC00\ud83E\uDD95\ud83e"}`, String.raw`{"a":"\ufffd\ud83E\uDD95\ufffd"}`],
      [String.raw`{"a":"\\ud800","b":"\\\ud800"}`, String.raw`{"a":"\\ud800","b":"\\\ufffd"}`],
      ['{"a":"\ud800"}', '{"a":"\ufffd"}'],
    ] as const
  ) {
    assert.equal(shown(text), expected);
    JSON.parse(shown(text));
  }
});

Deno.test("arguments nested deeper than a stack are shown", () => {
  const text = String.raw`{"a":"\ud800","b":` + "[".repeat(100_000) + "]".repeat(100_000) + "}";
  assert.equal(shown(text), text.replace("d800", "fffd"));
});

Deno.test("what is no object is shown as an empty one", () => {
  for (const text of ["", "null", "[1]", '"a"', '{"a":', "{a:1}"]) assert.equal(shown(text), "{}");
});
