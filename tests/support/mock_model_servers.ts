/**
 * Model servers by others: programs that imitate the providers' APIs, run under Node from tests/peers. They know nothing of saber,
 * so that an adapter is not only held against streams of our own making.
 */
import assert from "node:assert/strict";
import { peer } from "./peers.ts";
import { freePort } from "./server_process.ts";

export interface MockServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
}

/** What they are told to answer. */
export const ANSWERS = { text: "Grüße 🦕", afterTool: "There are four tables." };

/** aimock: Chat Completions, Responses and Messages. */
export async function startAimock(): Promise<MockServer> {
  const listTables = { name: "list_tables", arguments: "{}" };
  const fixtures = [
    {
      match: { userMessage: "tables", hasToolResult: false },
      response: { reasoning: "I should look.", toolCalls: [listTables] },
    },
    { match: { userMessage: "tables", hasToolResult: true }, response: { content: ANSWERS.afterTool } },
    { match: { userMessage: "hello" }, response: { content: ANSWERS.text } },
    {
      match: { userMessage: "busy" },
      response: { error: { message: "Rate limited", type: "rate_limit_error" }, status: 429 },
    },
  ];
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/fixtures.json`, JSON.stringify({ fixtures }));
  const program = new URL("dist/cli.js", await peer("@copilotkit/aimock"));
  const args = [program.pathname, "-p", "0", "-f", `${folder}/fixtures.json`];
  return await start({ args, folder, ready: /listening on (http:\/\/\S+)/ });
}

/** mock-llm: Chat Completions. Its streams hold no tool calls, and tell errors in a response that begins with 200. */
export async function startMockLlm(): Promise<MockServer> {
  const answer = (message: unknown, finish_reason: string) =>
    JSON.stringify({
      ...{ id: "c1", object: "chat.completion", created: 1, model: "m" },
      choices: [{ index: 0, message, finish_reason }],
    });
  const rule = (match: string, response: { status: number; content: string }) => ({
    path: "/v1/chat/completions",
    match,
    response,
  });
  const last = "body.messages[-1]";
  const hello = answer({ role: "assistant", content: ANSWERS.text }, "stop");
  const busy = JSON.stringify({ error: { message: "Rate limited", code: "rate_limit_exceeded" } });
  const rules = [
    rule(`contains(${last}.content, 'hello')`, { status: 200, content: hello }),
    rule(`contains(${last}.content, 'busy')`, { status: 429, content: busy }),
  ];
  const folder = await Deno.makeTempDir();
  // JSON is YAML
  await Deno.writeTextFile(`${folder}/mock-llm.yaml`, JSON.stringify({ rules }));
  const program = new URL("dist/main.js", await peer("@dwmkerr/mock-llm"));
  const port = freePort();
  const origin = `http://127.0.0.1:${port}`;
  const args = [program.pathname, "--config", `${folder}/mock-llm.yaml`];
  const env = { HOST: "127.0.0.1", PORT: String(port) };
  return { ...await start({ args, env, folder, ready: /server running on (\S+)/ }), origin };
}

async function start(
  { args, env = {}, folder, ready }: {
    readonly args: string[];
    readonly env?: { readonly [name: string]: string };
    readonly folder: string;
    readonly ready: RegExp;
  },
): Promise<MockServer> {
  const child = new Deno.Command("node", { args, env, cwd: folder, stdout: "piped", stderr: "inherit" })
    .spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let said = "";
  while (!ready.test(said)) {
    const { value, done } = await lines.next();
    if (done) assert.fail(`the server did not start:\n${said}`);
    said += value;
  }
  const drained = (async () => {
    while (!(await lines.next()).done);
  })();
  return {
    origin: ready.exec(said)?.[1] ?? "",
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await Promise.all([child.status, drained]);
      await Deno.remove(folder, { recursive: true });
    },
  };
}
