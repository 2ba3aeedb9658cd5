/** A session as a page: everything that was said is there, and nothing of it runs. */
import assert from "node:assert/strict";
import { startModelServer } from "../../support/model_server.ts";
import { OmpHost } from "../../support/omp_host.ts";
import { shop } from "../../support/shop.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

const HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&";

Deno.test("an exported session has questions, SQL, rows with all digits and a script of all SQL, and runs nothing", async () => {
  const folder = await Deno.makeTempDir();
  const sql = `SELECT '${HOSTILE.replaceAll("'", "''")}' AS "a<b>", 9223372036854775807 AS big, NULL AS none`;
  const failing = "SELECT n FROM nowhere";
  await using server = startModelServer([
    { stream: { text: toolCallStream("execute_sql", { query: sql }) } },
    { stream: { text: toolCallStream("execute_sql", { query: failing }) } },
    { stream: "openai/text.sse" },
  ]);
  await using host = new OmpHost({
    args: [
      "-d",
      await shop("sqlite"),
      "--model",
      "openai:gpt-5",
      "--no-session",
      "--cwd",
      folder,
      "--name",
      "Evening <1>",
    ],
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
  });
  await host.send({ type: "prompt", message: "Is <b>this</b> safe?" });
  await host.untilType("agent_end");
  await host.send({ id: "e", type: "export_html", outputPath: "session.html" });
  assert.deepEqual((await host.answer("e")).data, { path: `${folder}/session.html` });
  await host.send({ id: "f", type: "export_html", outputPath: "session.html" });
  assert.deepEqual((await host.answer("f")).data, { path: `${folder}/session-2.html` });
  await host.send({ id: "g", type: "export_html" });
  assert.match(JSON.stringify((await host.answer("g")).data), /\/saber-session-[^/]*_[0-9a-f]{8}\.html/);
  await host.send({ id: "h", type: "export_html", outputPath: "none/session.html" });
  assert.match(String((await host.answer("h")).error), /^Cannot write /);

  const page = await Deno.readTextFile(`${folder}/session.html`);
  assert.doesNotMatch(page, /<script|<img|<b>|https?:/i);
  assert.match(
    page,
    /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"/,
  );
  assert.match(page, /<title>Evening &lt;1&gt;<\/title>/);
  assert.match(page, /Is &lt;b&gt;this&lt;\/b&gt; safe\?/);
  assert.match(page, /<th>a&lt;b&gt;<\/th><th>big<\/th><th>none<\/th>/);
  assert.match(page, /<td>9223372036854775807<\/td><td>NULL<\/td>/);
  assert.match(page, /<td>&lt;script&gt;alert\(1\)/);
  assert.match(page, /class="error">[^<]*nowhere/);
  const script = /<h2>All SQL in order<\/h2>\n<pre>([^]*?)<\/pre>/.exec(page)?.[1] ?? "";
  assert.equal(script.split(";\n\n").length, 2);
  assert.match(script, /SELECT n FROM nowhere;$/);
});
