/** A host that stops reading while the model says a lot. */
import assert from "node:assert/strict";
import { residentMiB } from "../../support/memory.ts";
import { startModelServer } from "../../support/model_server.ts";
import { RpcHost } from "../../support/rpc_host.ts";
import { shop } from "../../support/shop.ts";

/** UTF-16 units of one delta, and how many there are: 50 MB. */
const PIECE = "x".repeat(50_000);
const PIECES = 1000;
/** How long the host does not read. */
const PAUSE_MS = 30_000;
/** The conversation keeps the whole text, and the host is told it thrice; nothing else may grow with it. */
const MAX_GROWTH_MIB = 40;

Deno.test("a host that does not read holds the model up; memory stays, and nothing is lost", async () => {
  const chunk = `data: ${JSON.stringify({ choices: [{ delta: { content: PIECE } }] })}\n\n`;
  const text = chunk.repeat(PIECES) + 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n';
  await using server = startModelServer([{ stream: { text }, pieces: { every: 1 << 17 } }]);
  await using host = new RpcHost({
    args: ["-d", await shop("sqlite"), "--no-thread", "--model", "openai:m"],
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
  });
  await host.send({ type: "prompt", message: "Much?" });
  await host.until((line) => line.type === "message_update");
  const before = await residentMiB(host.program.pid);
  await new Promise((go) => setTimeout(go, PAUSE_MS / 2));
  const taken = server.asked[0]?.sent;
  await new Promise((go) => setTimeout(go, PAUSE_MS / 2));
  assert.equal(server.asked[0]?.sent, taken, "the model is not held up");
  assert.ok((taken ?? 0) < text.length, "the model could say everything");
  const grown = await residentMiB(host.program.pid) - before;
  assert.ok(grown < MAX_GROWTH_MIB, `the memory grew by ${grown} MiB`);
  const end = await host.until((line) => line.type === "agent_end");
  assert.ok(end.type === "agent_end" && end.status === "completed");
  const told = host.lines.flatMap((line) =>
    line.type === "message_update" && line.assistantMessageEvent.type === "text_delta"
      ? line.assistantMessageEvent.delta.length
      : []
  );
  assert.equal(told.reduce((sum, length) => sum + length, 0), PIECES * PIECE.length);
  assert.equal(end.text.length, PIECES * PIECE.length);
});
