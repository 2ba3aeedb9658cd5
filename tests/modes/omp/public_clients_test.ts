/** The clients of pi and of omp, as npm has them, drive saber in the place of the programs that they were written for. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { startModelServer } from "../../support/model_server.ts";
import { bun, hostPeer } from "../../support/peers.ts";
import { NO_KEYRING, saberCommand } from "../../support/program.ts";
import { shop } from "../../support/shop.ts";
import { repository } from "../../support/sources.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

const hosts = new URL("../../../fixtures/hosts/", import.meta.url);
const TEXT = { stream: "openai/text.sse", paceMs: 20 };

async function drive(runtime: string, { script, given, baseUrl }: {
  script: string;
  given: Record<string, unknown>;
  baseUrl: string;
}): Promise<Record<string, unknown>> {
  const data = await Deno.makeTempDir();
  const { code, stdout, stderr } = await new Deno.Command(runtime, {
    args: [fileURLToPath(new URL(script, hosts)), JSON.stringify(given)],
    env: {
      OPENAI_BASE_URL: baseUrl,
      OPENAI_API_KEY: "key",
      PI_CODING_AGENT_DIR: data,
      XDG_CONFIG_HOME: data,
      XDG_DATA_HOME: data,
      ...NO_KEYRING,
      SABER: JSON.stringify(saberCommand()),
      SABER_FOLDER: fileURLToPath(repository),
    },
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** omp's client needs a library that npm has for few systems, and both are installed together. */
const ignore = Deno.build.os !== "linux" || Deno.build.arch !== "x86_64";

Deno.test("pi's client prompts, steers, forks and ends", { ignore }, async () => {
  await using server = startModelServer((n) =>
    n < 3 ? { stream: `openai/top_customers_${n + 1}.sse` } : TEXT
  );
  const client = new URL("dist/modes/rpc/rpc-client.js", await hostPeer("@mariozechner/pi-coding-agent"));
  const saw = await drive("node", {
    script: "pi_host.mjs",
    given: {
      client: client.href,
      cli: fileURLToPath(new URL("saber_as_cli.mjs", hosts)),
      args: ["-d", await shop("sqlite")],
    },
    baseUrl: server.baseUrl,
  });
  assert.partialDeepStrictEqual(saw, {
    tools: ["list_tables", "execute_sql"],
    asked: ["Who are the top five customers by revenue?", "How many?", "Only Ireland.", "Then by year."],
    forked: { text: "Who are the top five customers by revenue?", cancelled: false },
    cancelled: false,
    refused: "Model not found: nobody/x",
    bash: "from the shell\n",
    ends: 2,
    isStreaming: false,
    thinkingLevel: "high",
    messages: [6, 0, 0],
  });
  assert.match(String(saw.text), /293,801\.05/);
  assert.ok(Array.isArray(saw.commands) && saw.commands.includes("tables"));
});

Deno.test("omp's client prompts, steers, offers a tool and answers questions", { ignore }, async () => {
  const chart = { stream: { text: toolCallStream("render_chart", { resultId: "qr_1" }) } };
  const piece = JSON.stringify({ choices: [{ delta: { content: "x".repeat(100_000) } }] });
  const end = '{"choices":[{"delta":{},"finish_reason":"stop"}]}';
  const much = { stream: { text: `data: ${piece}\n\n`.repeat(20) + `data: ${end}\n\n` } };
  // the answer that is to be stopped does not end by itself
  const endless = { stream: "openai/text.sse", stallAt: 700 };
  await using server = startModelServer((n) => n === 0 ? chart : n === 2 ? much : n === 3 ? endless : TEXT);
  const client = new URL("src/modes/rpc/rpc-client.ts", await hostPeer("@oh-my-pi/pi-coding-agent"));
  const saw = await drive(await bun(), {
    script: "omp_host.mjs",
    given: {
      client: fileURLToPath(client),
      command: saberCommand(),
      cwd: fileURLToPath(repository),
      args: ["-d", await shop("sqlite"), "--cwd", await Deno.makeTempDir(), "--rpc-v2"],
    },
    baseUrl: server.baseUrl,
  });
  assert.partialDeepStrictEqual(saw, {
    charts: [{ resultId: "qr_1" }],
    updates: ["half"],
    result: "drawn",
    long: 2_000_000,
    asked: ["Draw the chart.", "Much?", "How many?", "How many orders?", "Only Ireland."],
    login: { providerId: "anthropic" },
    placeholder: "API key for anthropic",
    branch: { text: "Much?", cancelled: false },
    handoff: {},
    bash: ["from the shell\n", 2],
    knows: true,
    summary: "string",
    level: "high",
    changed: true,
    subagents: ["events", []],
  });
  assert.deepEqual([saw.starts, saw.ends], [4, 4]);
  assert.match(await Deno.readTextFile(String(saw.page)), /<!DOCTYPE html>/);
});
