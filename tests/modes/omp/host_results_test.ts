/** What a tool of the host answers: told and kept as the host said it, with its images; the model hears of them. */
import assert from "node:assert/strict";
import { startModelServer } from "../../support/model_server.ts";
import { type Frame, ompHostOn } from "../../support/omp_host.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

const TEXT = { stream: "openai/text.sse" };

Deno.test("the result of a host's tool is told with its images and details, kept, and exported", async () => {
  const folder = await Deno.makeTempDir();
  const chart = { stream: { text: toolCallStream("render_chart", {}) } };
  await using server = startModelServer([chart, TEXT, TEXT]);
  await using host = await ompHostOn(server.baseUrl, { args: ["--session", `${folder}/session.jsonl`] });
  const tool = { name: "render_chart", description: "Draws", parameters: {} };
  await host.send({ type: "set_host_tools", tools: [tool] });
  await host.send({ type: "prompt", message: "Draw." });
  const { id } = await host.untilType("host_tool_call");
  const image = { type: "image", data: "iVBORw0K", mimeType: "image/png" };
  const hostile = { type: "image", data: 'x" onerror="alert(1)', mimeType: "image/png" };
  const result = {
    content: [{ type: "text", text: "drawn" }, image, hostile],
    details: { path: "chart.png", bars: [1, 2.50] },
  };
  await host.send({ type: "host_tool_result", id, result });
  const end = await host.untilType("tool_execution_end");
  assert.deepEqual([end.result, end.isError], [result, false]);
  const told = await host.until(({ type, message }) =>
    type === "message_end" && (message as { role: string }).role === "toolResult"
  );
  assert.partialDeepStrictEqual(told.message, result);
  await host.untilType("agent_end");
  await host.send({ type: "prompt", message: "And now?" });
  await host.untilType("agent_end");
  const heard = server.asked.slice(1).map(({ body }) =>
    (body as { messages: { role: string; content: unknown }[] }).messages.find(({ role }) => role === "tool")
  );
  const words = "drawn\n[2 image(s), shown to the user]";
  assert.deepEqual(heard.map((message) => message?.content), [words, words]);
  await host.send({ id: "m", type: "get_messages" });
  const { messages } = (await host.answer("m")).data as { messages: Frame[] };
  assert.partialDeepStrictEqual(messages.find(({ role }) => role === "toolResult"), result);
  assert.ok((await Deno.readTextFile(`${folder}/session.jsonl`)).includes(JSON.stringify(image)));
  await host.send({ id: "e", type: "export_html", outputPath: `${folder}/session.html` });
  await host.answer("e");
  const page = await Deno.readTextFile(`${folder}/session.html`);
  assert.ok(page.includes('<img alt="" src="data:image/png;base64,iVBORw0K">'));
  assert.doesNotMatch(page, /onerror/);
});
