/** Lines that are longer than a host takes: in pieces where it wants them so, cut or replaced where it does not. */
import assert from "node:assert/strict";
import { ompCodec } from "../../../src/modes/omp/codec.ts";
import { longAnswer } from "../../support/long_answer.ts";
import { startModelServer } from "../../support/model_server.ts";
import { type Frame, ompHostOn } from "../../support/omp_host.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const MIB = 1 << 20;
/** 3 MB of characters that take three bytes each, so that pieces are cut within them. */
const LONG = { stream: { text: longAnswer(100, "東".repeat(10_000)) } };

interface Chunk {
  readonly type: "rpc_chunk";
  readonly chunkId: string;
  readonly index: number;
  readonly count: number;
  readonly byteLength: number;
  readonly data: string;
}

/** Reads lines as a host does that has asked for pieces: those of one frame follow each other. */
async function* wholeFrames(next: () => Promise<string>): AsyncGenerator<{ frame: Frame; pieces: number }> {
  while (true) {
    const first: Frame = JSON.parse(await next());
    if (first.type !== "rpc_chunk") {
      yield { frame: first, pieces: 1 };
      continue;
    }
    const { chunkId, count, byteLength, data } = first as Frame & Chunk;
    const pieces = [data];
    for (let index = 1; index < count; index++) {
      const chunk: Chunk = JSON.parse(await next());
      assert.deepEqual([chunk.chunkId, chunk.index, chunk.count], [chunkId, index, count]);
      pieces.push(chunk.data);
    }
    const bytes = new Uint8Array(byteLength);
    let at = 0;
    for (const piece of pieces.map((each) => Uint8Array.fromBase64(each))) {
      bytes.set(piece, at);
      at += piece.length;
    }
    assert.equal(at, byteLength);
    yield { frame: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)), pieces: count };
  }
}

Deno.test("after negotiate_protocol 2 long frames come whole, in pieces that follow each other", async () => {
  await using server = startModelServer([LONG]);
  await using host = await ompHostOn(server.baseUrl);
  await host.send({ id: "n", type: "negotiate_protocol", protocolVersion: 3 });
  assert.equal((await host.answer("n")).success, false);
  await host.send({ id: "n2", type: "negotiate_protocol", protocolVersion: 2 });
  assert.deepEqual((await host.answer("n2")).data, { protocolVersion: 2 });
  await host.send({ type: "prompt", message: "Much?" });
  const frames = wholeFrames(async () => {
    const line = await host.program.line(PATIENCE_MS) ?? assert.fail();
    assert.ok(new TextEncoder().encode(line).length < MIB);
    return line;
  });
  for await (const { frame, pieces } of frames) {
    if (frame.type === "agent_end") {
      const { messages } = frame as Frame & { messages: { content: { text: string }[] }[] };
      assert.equal(messages.at(-1)?.content[0]?.text.length, 1_000_000);
      assert.ok(pieces > 10, `${pieces} pieces`);
      await host.send({ id: "m", type: "get_messages" });
    }
    if (frame.id !== "m") continue;
    assert.ok(JSON.stringify(frame).includes("東".repeat(1_000_000)));
    break;
  }
});

Deno.test("an answer that cannot be cut says so under its own name and id; the process goes on", async () => {
  await using server = startModelServer([LONG]);
  await using host = await ompHostOn(server.baseUrl);
  await host.send({ type: "prompt", message: "Much?" });
  await host.untilType("agent_end");
  await host.send({ id: "e", type: "get_entries" });
  const error = "RPC response exceeded the transport limit";
  assert.deepEqual(await host.answer("e"), {
    ...{ type: "response", id: "e", command: "get_entries", success: false, error },
  });
  await host.send({ id: "m", type: "get_messages" });
  assert.equal((await host.answer("m")).success, true);
});

Deno.test("an event that cannot be cut is replaced by one that names it", () => {
  const codec = ompCodec({ version: 1, keepsUnknownIds: false });
  const data = { arguments: Array.from({ length: 300_000 }, (_, n) => n) };
  const line = codec.encode({ kind: "event", method: "host_tool_call", data }) ?? assert.fail();
  assert.partialDeepStrictEqual(JSON.parse(line), {
    type: "rpc_frame_error",
    originalType: "host_tool_call",
  });
});
