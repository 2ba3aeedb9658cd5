/**
 * A long conversation with a model of a small context: every request fits, every question is answered, and the person is
 * told at stderr. The program is asked as a host asks it, on a real database.
 */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { estimateTokens } from "../../../src/agent/fit_history.ts";
import { type Play, startModelServer } from "../../support/model_server.ts";
import { RpcHost } from "../../support/rpc_host.ts";
import { shop } from "../../support/shop.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

const TURNS = 50;
const CONTEXT = 8192;
/** Some 6 KB of rows. */
const QUERY = "SELECT * FROM customers ORDER BY id LIMIT 60";

const Body = z.object({
  messages: z.array(z.object({
    role: z.string(),
    content: z.nullable(z.string()),
    tool_calls: z.optional(z.array(z.object({ id: z.string() }))),
    tool_call_id: z.optional(z.string()),
  })),
});

Deno.test("fifty turns with large results stay inside a context of 8,192 tokens and are answered", async () => {
  const call: Play = { stream: { text: toolCallStream("execute_sql", { query: QUERY }) } };
  await using server = startModelServer((n) => n % 2 === 0 ? call : { stream: "openai/text.sse" });
  await using host = await hostOf(server.baseUrl, CONTEXT);
  await host.until((line) => line.type === "ready");
  for (let n = 0; n < TURNS; n++) {
    await host.send({ type: "prompt", message: `Question ${n}: list the customers.` });
    const end = await host.until(({ type }) => type === "agent_end");
    assert.partialDeepStrictEqual(end, { type: "agent_end", status: "completed" });
  }
  await host.send({ type: "get_state" });
  assert.partialDeepStrictEqual(await host.answerTo("get_state"), { data: { messageCount: 4 * TURNS } });
  await host.send({ type: "shutdown" });
  assert.equal(await host.end(), 0);
  assert.equal(server.asked.length, 2 * TURNS);
  let largest = 0;
  for (const [n, { body }] of server.asked.entries()) {
    largest = Math.max(largest, estimateTokens(JSON.stringify(body)));
    const { messages } = Body.parse(body);
    assert.equal(messages[0]?.content, "You answer questions about a shop.");
    const newest = messages.findLastIndex(({ role }) => role === "user");
    assert.equal(messages[newest]?.content, `Question ${Math.floor(n / 2)}: list the customers.`);
    const results = messages.slice(newest).filter(({ role }) => role === "tool");
    assert.equal(results.length, n % 2, "the newest turn is not whole");
    for (const { content } of results) assert.doesNotMatch(content ?? "", /were left out to save room/);
    const called = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
    const answered = messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
    assert.deepEqual(answered, called, "a call and its result were parted");
  }
  assert.ok(largest <= CONTEXT, `${largest} tokens were sent`);
  const last = Body.parse(server.asked.at(-1)?.body).messages;
  assert.ok(last.length < 4 * TURNS, "nothing was left out");
  assert.ok(last.some(({ content }) => /were left out to save room/.test(content ?? "")));
  const told = (await host.program.errors()).trim().split("\n");
  assert.match(
    told[0] ?? "",
    /^saber: the conversation no longer fits the model's context of 8192 tokens: 1 old result shortened, 0 old messages/,
  );
});

Deno.test("a question that cannot fit is refused before it is sent, and the next one works", async () => {
  await using server = startModelServer(() => ({ stream: "openai/text.sse" }));
  await using host = await hostOf(server.baseUrl, 2000);
  await host.send({ type: "prompt", message: "x".repeat(9000) });
  const refused = await host.until(({ type }) => type === "agent_end");
  assert.ok(refused.type === "agent_end" && refused.status === "error");
  assert.match(
    refused.error,
    /^Cannot ask small:m: .* about \d{4} tokens, its context holds 2000\. Ask for less/,
  );
  assert.equal(server.asked.length, 0);
  await host.send({ type: "prompt", message: "How many?" });
  const next = await host.until(({ type }) => type === "agent_end");
  assert.partialDeepStrictEqual(next, { status: "completed" });
});

/** A host of saber with a model of this context in its config.jsonc. */
async function hostOf(baseUrl: string, contextTokens: number): Promise<RpcHost> {
  const home = await Deno.makeTempDir();
  await Deno.mkdir(`${home}/sqlsaber`);
  const config = { providers: { small: { baseUrl, models: { m: { contextTokens } } } } };
  await Deno.writeTextFile(`${home}/sqlsaber/config.jsonc`, JSON.stringify(config));
  return new RpcHost({
    args: [
      ...["-d", await shop("sqlite"), "--no-thread", "--model", "small:m"],
      ...["--system-prompt", "You answer questions about a shop."],
    ],
    env: { XDG_CONFIG_HOME: home },
  });
}
