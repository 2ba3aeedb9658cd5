/** What the model hears of the user's shell: with the next prompt, unless the user keeps it to himself. */
import assert from "node:assert/strict";
import { startModelServer } from "../../support/model_server.ts";
import { ompHostOn } from "../../support/omp_host.ts";

Deno.test("the model is told of a shell command with the next prompt, and not of one that is kept from it", async () => {
  await using server = startModelServer([
    { stream: "openai/text.sse", paceMs: 20 },
    { stream: "openai/text.sse" },
  ]);
  await using host = await ompHostOn(server.baseUrl);
  await host.send({ id: "1", type: "bash", command: "echo before the run" });
  await host.answer("1");
  await host.send({ type: "prompt", message: "First?" });
  await host.untilType("message_update");
  await host.send({ id: "2", type: "bash", command: "echo during the run" });
  await host.send({ id: "3", type: "bash", command: "echo kept back", excludeFromContext: true });
  await host.untilType("agent_end");
  for (const id of ["2", "3"]) {
    if (!host.frames.some((frame) => frame.id === id)) await host.answer(id);
  }
  await host.send({ type: "prompt", message: "Second?" });
  await host.untilType("agent_end");
  const [first, second] = server.asked.map(({ body }) => JSON.stringify(body));
  assert.match(first ?? "", /before the run/);
  assert.match(second ?? "", /First\?.*during the run.*Second\?/);
  assert.doesNotMatch(second ?? "", /kept back/);
});
