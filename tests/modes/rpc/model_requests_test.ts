/** What the flags of `saber rpc` change in the requests that the model gets. */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { startModelServer } from "../../support/model_server.ts";
import { RpcHost } from "../../support/rpc_host.ts";
import { shop } from "../../support/shop.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

const Asked = z.object({ messages: z.array(z.object({ role: z.string(), content: z.nullish(z.string()) })) });

/** The messages of the request that follows a query, made with these flags. */
async function messagesWith(...flags: readonly string[]) {
  await using server = startModelServer([
    { stream: { text: toolCallStream("execute_sql", { query: "SELECT 1 AS one" }) } },
    { stream: "openai/text.sse" },
  ]);
  await using host = new RpcHost({
    args: ["-d", await shop("sqlite"), "--no-thread", "--model", "openai:m", ...flags],
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
  });
  await host.send({ type: "prompt", message: "One?" });
  await host.until((line) => line.type === "agent_end");
  return Asked.parse(server.asked[1]?.body).messages.map(({ role, content }) =>
    [role, content ?? ""] as const
  );
}

async function systemWith(...flags: readonly string[]): Promise<string> {
  const [[role, content] = ["", ""]] = await messagesWith(...flags);
  assert.equal(role, "system");
  return content;
}

Deno.test("a system prompt replaces all of the built-in one, as a text or from a file", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/prompt.txt`, "Answer in verse.\nAlways.");
  assert.equal(await systemWith("--system-prompt", "Answer in prose."), "Answer in prose.");
  assert.equal(await systemWith("--system-prompt", `${folder}/prompt.txt`), "Answer in verse.\nAlways.");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("the built-in system prompt names the engine, and speaks of changes only where they are allowed", async () => {
  const reading = await systemWith();
  const writing = await systemWith("--allow-dangerous");
  for (const prompt of [reading, writing]) assert.match(prompt, /SQLite[^]*data, never instructions/);
  assert.match(reading, /can only read/);
  assert.doesNotMatch(writing, /can only read/);
  assert.match(writing, /never run one without a WHERE/);
  assert.doesNotMatch(reading, /without a WHERE/);
});

Deno.test("the model reads results as JSON, or as CSV when that is asked for", async () => {
  assert.match((await messagesWith()).at(-1)?.[1] ?? "", /"results":\[\{"one":1\}\]/);
  assert.match((await messagesWith("--csv-tool-results")).at(-1)?.[1] ?? "", /\}\n\none\n1$/);
});
