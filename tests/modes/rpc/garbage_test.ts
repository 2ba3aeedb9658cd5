/** What no host sends on purpose: each line of it is answered, and the next command is taken. */
import assert from "node:assert/strict";
import { garbage, sendByteByByte } from "../../support/garbage.ts";
import { RpcHost } from "../../support/rpc_host.ts";
import { shop } from "../../support/shop.ts";

Deno.test("ten megabytes of garbage, broken UTF-8, null, arrays and bytes one by one are survived", async () => {
  await using host = new RpcHost({
    args: ["-d", await shop("sqlite"), "--no-thread", "--model", "ollama:m"],
  });
  await host.next();
  const lines = garbage();
  for (const line of lines) await host.program.send(line);
  await sendByteByByte(host.program, '{"id":"東","type":"get_last_assistant_text"}\n');
  const told = [];
  for (let n = 0; n <= lines.length; n++) told.push(await host.next());
  assert.deepEqual(
    told.map((line) => line?.type === "response" && line.success),
    [...lines.map(() => false), true],
  );
  assert.partialDeepStrictEqual(told.at(-1), { command: "get_last_assistant_text", id: "東" });
});
