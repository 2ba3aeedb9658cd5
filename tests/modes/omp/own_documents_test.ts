/** Documents under saber:// whose addresses are known only when a tool has made them: artifacts and helpers' transcripts. */
import assert from "node:assert/strict";
import { type Play, startModelServer } from "../../support/model_server.ts";
import { OmpHost } from "../../support/omp_host.ts";
import { shop } from "../../support/shop.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

const TEXT = { stream: "openai/text.sse" };

function calling(tool: string, args: object): Play {
  return { stream: { text: toolCallStream(tool, args) } };
}

/** The text that the tool answered. */
async function answerOf(host: OmpHost, toolName: string): Promise<string> {
  const end = await host.until((frame) => frame.type === "tool_execution_end" && frame.toolName === toolName);
  assert.equal(end.isError, false, JSON.stringify(end));
  const { result } = end as unknown as { result: { content: { text: string }[] } };
  return result.content[0]?.text ?? "";
}

Deno.test("a file that a tool made and a helper's transcript are documents", async () => {
  const plays: Play[] = [
    calling("execute_sql", { query: "SELECT 1 AS n UNION ALL SELECT 2" }),
    TEXT,
    calling("task", { agent: "schema-scout", tasks: [{ assignment: "Count the customers." }] }),
    TEXT, // of the helper
    TEXT,
  ];
  await using server = startModelServer(() => plays.shift() ?? TEXT);
  const args = ["-d", await shop("duckdb"), "--model", "openai:m", "--session-dir", await Deno.makeTempDir()];
  await using host = new OmpHost({ args, env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" } });
  const ask = async () => await host.send({ type: "prompt", message: "Go on." });

  await ask();
  const [resultId] = /qr_[0-9a-f]{32}/.exec(await answerOf(host, "execute_sql")) ?? [];
  await host.untilType("agent_end");
  await ask();
  assert.match(await answerOf(host, "task"), /schema-scout/);
  await host.untilType("agent_end");

  plays.push(calling("export_result", { result_id: resultId, format: "csv", name: "two" }), TEXT);
  await ask();
  const [artifactId] = /art_[0-9a-f]{32}/.exec(await answerOf(host, "export_result")) ?? [];
  await host.untilType("agent_end");

  plays.push(calling("read", { path: `saber://artifact/${artifactId}` }));
  plays.push(calling("read", { path: "saber://subagent/0-schema-scout" }), TEXT);
  await ask();
  assert.equal(await answerOf(host, "read"), "n\n1\n2\n");
  assert.match(await answerOf(host, "read"), /^User: Count the customers\.\n\nAssistant: Es gibt/);
  await host.untilType("agent_end");
});
