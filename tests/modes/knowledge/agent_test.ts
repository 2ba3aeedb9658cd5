/**
 * The agent is offered the search where something was written down, and finds it.
 */
import assert from "node:assert/strict";
import { startModelServer } from "../../support/model_server.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { Program } from "../../support/program.ts";
import { shop } from "../../support/shop.ts";
import { textStream } from "../../support/text_stream.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

Deno.test("what was written down reaches the model, and only then is the tool there", async () => {
  const home = await Deno.makeTempDir();
  await using models = startModelServer([
    { stream: { text: textStream("Nothing known.") } },
    { stream: { text: toolCallStream("search_knowledge", { query: "what is churn" }) } },
    { stream: { text: textStream("Known.") } },
  ]);
  const env = { OPENAI_BASE_URL: models.baseUrl, OPENAI_API_KEY: "key", SQLSABER_MODEL: "openai:test" };
  const run = async (...args: string[]) => {
    await using program = new Program({ args, home, env });
    while (await program.line(PATIENCE_MS) !== undefined);
    assert.equal((await program.exit).code, 0, await program.errors());
  };
  try {
    await run("db", "add", "shop", await shop("sqlite"));
    await run("What is churn?");
    await run("knowledge", "add", "churn", "No order for 90 days");
    await run("What is churn?");
    const [before, asked, answered] = models.asked.map(({ body }) => JSON.stringify(body));
    assert.doesNotMatch(before ?? "", /search_knowledge/);
    assert.match(asked ?? "", /"name":"search_knowledge"/);
    assert.match(answered ?? "", /No order for 90 days/);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
