/** The client that a host's author writes first: forty lines of Python, run as they stand but for the command line. */
import assert from "node:assert/strict";
import { startModelServer } from "../../support/model_server.ts";
import { saberCommand } from "../../support/program.ts";
import { shop } from "../../support/shop.ts";
import { repository } from "../../support/sources.ts";

const CLIENT = new URL("../../../fixtures/hosts/minimal_client.py", import.meta.url);
const COMMAND_LINE = '["saber", "rpc", "-d", "analytics", "--no-thread"]';

Deno.test("the minimal Python client works unchanged", async () => {
  const source = await Deno.readTextFile(CLIENT);
  assert.ok(source.includes(COMMAND_LINE));
  await using server = startModelServer(
    [1, 2, 3].map((n) => ({ stream: `openai/top_customers_${n}.sse`, paceMs: 1 })),
  );
  const args = ["rpc", "-d", await shop("sqlite"), "--no-thread", "--model", "openai:m"];
  const program = source.replace(COMMAND_LINE, JSON.stringify([...saberCommand(), ...args]));
  const { code, stdout, stderr } = await new Deno.Command("python3", {
    args: ["-c", program],
    cwd: repository,
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key", PYTHONIOENCODING: "utf-8" },
  }).output();
  const text = new TextDecoder().decode(stdout);
  assert.equal(new TextDecoder().decode(stderr), "");
  assert.equal(code, 0);
  assert.ok(text.startsWith("I'll look at the tables first.\n[sql] "), text);
  assert.match(text, /\n\[sql\] SELECT c\.name AS customer/);
  assert.ok(text.includes("Müller & Sons"), text);
  assert.equal(server.asked.length, 3);
});

Deno.test("the minimal Python client says why a start failed", async () => {
  const source = await Deno.readTextFile(CLIENT);
  const args = ["rpc", "-d", "absent.sqlite", "--no-thread"];
  const program = source.replace(COMMAND_LINE, JSON.stringify([...saberCommand(), ...args]));
  const { code, stderr } = await new Deno.Command("python3", { args: ["-c", program], cwd: repository })
    .output();
  assert.equal(code, 1);
  assert.match(new TextDecoder().decode(stderr), /absent\.sqlite/);
});
