/** What no host sends on purpose: each line of it is answered, and the next command is taken. */
import assert from "node:assert/strict";
import { RpcHost } from "../../support/rpc_host.ts";
import { shop } from "../../support/shop.ts";

const BROKEN: readonly (string | Uint8Array)[] = [
  "x".repeat(10 << 20) + "\n",
  new Uint8Array([0xff, 0xfe, 0x00, 0x0a]),
  "null\n",
  '[{"type":"get_state"}]\n',
  "[".repeat(100_000) + "\n",
  '"text"\n',
  "17\n",
  '{"type":7}\n',
];

Deno.test("ten megabytes of garbage, broken UTF-8, null, arrays and bytes one by one are survived", async () => {
  await using host = new RpcHost({
    args: ["-d", await shop("sqlite"), "--no-thread", "--model", "ollama:m"],
  });
  await host.next();
  for (const piece of BROKEN) await host.program.send(piece);
  for (const byte of new TextEncoder().encode('{"id":"東","type":"get_last_assistant_text"}\n')) {
    await host.program.send(new Uint8Array([byte]));
  }
  const told = [];
  for (let n = 0; n <= BROKEN.length; n++) told.push(await host.next());
  assert.deepEqual(
    told.map((line) => line?.type === "response" && line.success),
    [...BROKEN.map(() => false), true],
  );
  assert.partialDeepStrictEqual(told.at(-1), { command: "get_last_assistant_text", id: "東" });
});
