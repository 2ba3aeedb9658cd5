/** Images of the user, for models that see and for others. */
import assert from "node:assert/strict";
import { startModelServer } from "../../support/model_server.ts";
import { ompHostOn } from "../../support/omp_host.ts";

const TEXT = { stream: "openai/text.sse" };

Deno.test("what the user shows reaches a model that sees, also later; another one is told that it was there", async () => {
  await using server = startModelServer(() => TEXT);
  await using host = await ompHostOn(server.baseUrl, {
    args: ["--no-session", "--provider", "openai", "--model", "gpt-5"],
  });
  const images = [{ type: "image", data: "aGk=", mimeType: "image/png" }];
  await host.send({ type: "prompt", message: "What is this?", images });
  await host.untilType("agent_end");
  await host.send({ type: "prompt", message: "And now?" });
  await host.untilType("agent_end");
  await host.send({ type: "set_model", provider: "openai", modelId: "m" });
  await host.send({ type: "prompt", message: "And you?" });
  await host.untilType("agent_end");
  const [first, second, third] = server.asked.map(({ body }) => JSON.stringify(body));
  for (const body of [first, second]) assert.match(body ?? "", /data:image\/png;base64,aGk=/);
  assert.doesNotMatch(third ?? "", /base64/);
  assert.match(third ?? "", /1 image\(s\), not shown/);
});
