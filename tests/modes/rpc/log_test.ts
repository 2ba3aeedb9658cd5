import assert from "node:assert/strict";
import { PATIENCE_MS } from "../../support/patience.ts";
import { Program } from "../../support/program.ts";
import { shop } from "../../support/shop.ts";

const SECRETS = /hush-hush|sk-key|--no-thread|shop|openai/;

async function logOf(env: { readonly [name: string]: string }): Promise<{ log: string; errors: string }> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/state/saber.log`;
  await using program = new Program({
    args: [
      ...["rpc", "-d", await shop("sqlite"), "--no-thread"],
      ...["--model", "openai:m", "--system-prompt", "hush-hush"],
    ],
    env: {
      SQLSABER_LOG_FILE: path,
      OPENAI_API_KEY: "sk-key",
      OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
      ...env,
    },
  });
  await program.send('{"type":"get_tables"}\n{"type":"prompt","message":"How many?"}\n');
  for (let line: string | undefined = ""; !line.includes("agent_end");) {
    line = await program.line(PATIENCE_MS);
    assert.ok(line !== undefined, "the output ended before the run did");
  }
  await program.send('{"type":"shutdown"}\n');
  while ((await program.line(PATIENCE_MS)) !== undefined);
  const log = await Deno.readTextFile(path).catch(() => "");
  await Deno.remove(folder, { recursive: true });
  return { log, errors: await program.errors() };
}

Deno.test("the log tells of runs, and holds no argument, no path and no key", async () => {
  const { log, errors } = await logOf({});
  const messages = log.trim().split("\n").map((line) => JSON.parse(line).message);
  const left = "permissions left: read, write, env, net, run, ffi";
  assert.deepEqual(messages, [left, "saber rpc is ready", "a run ended: error"]);
  assert.doesNotMatch(log, SECRETS);
  assert.equal(errors, "");
});

Deno.test("a copy of the log goes to stderr when that is asked for, and a level keeps the rest out", async () => {
  const { log, errors } = await logOf({ SQLSABER_LOG_TO_STDERR: "1" });
  assert.equal(errors, log);
  assert.deepEqual(await logOf({ SQLSABER_LOG_TO_STDERR: "1", SQLSABER_LOG_LEVEL: "ERROR" }), {
    log: "",
    errors: "",
  });
});
