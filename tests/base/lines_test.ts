import assert from "node:assert/strict";
import { type Line, type LineOptions, LineReader } from "../../src/base/lines.ts";

const encoder = new TextEncoder();

async function split(chunks: Uint8Array[], options: Partial<LineOptions> = {}): Promise<Line[]> {
  const input = ReadableStream.from(chunks);
  return await readAll(new LineReader(input, { maxBytes: 16, lastLine: "deliver", ...options }));
}

async function readAll(reader: LineReader): Promise<Line[]> {
  const lines: Line[] = [];
  for (let line = await reader.next(); line; line = await reader.next()) lines.push(line);
  return lines;
}

const bytes = (text: string) => [encoder.encode(text)];
const line = (text: string): Line => ({ kind: "line", text });

Deno.test("lines end at LF alone, a CR before it goes, blank lines go", async () => {
  assert.deepEqual(await split(bytes("a\r\n\n  \r\nb\u2028c\rd\n")), [line("a"), line("b\u2028c\rd")]);
});

Deno.test("the unterminated last line is delivered or dropped, as asked", async () => {
  assert.deepEqual(await split(bytes("a\nb")), [line("a"), line("b")]);
  assert.deepEqual(await split(bytes("a\nb"), { lastLine: "drop" }), [line("a")]);
});

Deno.test("every cut of the bytes gives the same lines", async () => {
  const whole = encoder.encode('{"ü":"😀"}\r\nzweite\n\ndritte');
  const expected = await split([whole]);
  for (let at = 0; at <= whole.length; at++) {
    assert.deepEqual(await split([whole.subarray(0, at), whole.subarray(at)]), expected);
  }
  assert.deepEqual(await split(Array.from(whole, (byte) => Uint8Array.of(byte))), expected);
});

Deno.test("invalid UTF-8 is one record and the next line is whole", async () => {
  const chunk = Uint8Array.of(0xff, 0xfe, 0x0a, 0x61, 0x0a);
  assert.deepEqual(await split([chunk]), [{ kind: "invalid" }, line("a")]);
});

Deno.test("the limit counts the line without its terminator, in every cut", async () => {
  for (const end of ["\n", "\r\n", ""]) {
    const fits = encoder.encode("x".repeat(16) + end);
    for (let at = 0; at <= fits.length; at++) {
      const lines = await split([fits.subarray(0, at), fits.subarray(at)]);
      assert.deepEqual(lines, [line("x".repeat(16))]);
    }
  }
  assert.deepEqual(await split(bytes("x".repeat(17) + "\nb\n")), [{ kind: "oversize" }, line("b")]);
});

Deno.test("an endless line is one record, reported before it ends, at constant memory", async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent++ === 1000) {
        controller.enqueue(encoder.encode("\nafter\n"));
        controller.close();
      } else controller.enqueue(new Uint8Array(1 << 16).fill(0x78));
    },
  });
  const lines = new LineReader(endless, { maxBytes: 1 << 20, lastLine: "deliver" });
  assert.deepEqual(await lines.next(), { kind: "oversize" });
  assert.ok(sent < 30, `reported after ${sent} chunks`);
  assert.deepEqual(await readAll(lines), [line("after")]);
});

/** A stream that lends its reader's buffer, as the system's streams do. */
function byteStream(pieces: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      const piece = pieces.shift();
      const view = controller.byobRequest?.view;
      if (piece === undefined) {
        controller.close();
        controller.byobRequest?.respond(0);
      } else if (view) {
        new Uint8Array(view.buffer, view.byteOffset).set(piece);
        controller.byobRequest?.respond(piece.length);
      } else controller.enqueue(Uint8Array.from(piece));
    },
  });
}

Deno.test("a buffer that is used again for the next bytes changes no line of those before", async () => {
  const pieces = ["first\nsec", "ond\nthi", "rd", "\n"].map((text) => encoder.encode(text));
  const reader = new LineReader(byteStream(pieces), { maxBytes: 16, lastLine: "drop" });
  assert.deepEqual(await readAll(reader), [line("first"), line("second"), line("third")]);
});

Deno.test("a reading that is under way can be ended", async () => {
  const silent = new ReadableStream<Uint8Array>({ type: "bytes" });
  const reader = new LineReader(silent, { maxBytes: 16, lastLine: "deliver" });
  const next = reader.next();
  await reader.cancel();
  assert.equal(await next, undefined);
});
