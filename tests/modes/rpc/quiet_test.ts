/** Whatever a library prints, stdout has lines of the protocol alone. */
import assert from "node:assert/strict";
import { startModelServer } from "../../support/model_server.ts";
import { RpcHost } from "../../support/rpc_host.ts";
import { shop } from "../../support/shop.ts";

Deno.test("what a library prints goes to stderr", async () => {
  await using server = startModelServer([{ stream: "openai/text.sse", paceMs: 20 }]);
  await using host = new RpcHost({
    command: ["deno", "run", "-q", "-P", "tests/support/noisy_main.ts"],
    args: ["-d", await shop("sqlite"), "--no-thread", "--model", "openai:m"],
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
  });
  await host.send({ type: "prompt", message: "How many?" });
  await host.until((line) => line.type === "agent_end");
  await host.send({ type: "shutdown" });
  assert.equal(await host.end(), 0);
  assert.match(await host.program.errors(), /noise/);
});
