/**
 * What is left when the host, or saber itself, is killed: no process of the one, every finished entry of the other.
 */
import assert from "node:assert/strict";
import { startModelServer } from "../../support/model_server.ts";
import { OmpHost } from "../../support/omp_host.ts";
import { Program, saberCommand } from "../../support/program.ts";
import { shop } from "../../support/shop.ts";
import { processesOf } from "../../support/sqlite_processes.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

const SLOW =
  "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 900000000) SELECT max(n) FROM c";

/** A host that starts saber, gives it a statement and a shell command that go on for long, and says so. */
const HOST = `
const [command, ...args] = JSON.parse(Deno.args[0]);
const saber = new Deno.Command(command, { args, stdin: "piped", stdout: "piped" }).spawn();
const input = saber.stdin.getWriter();
const send = (frame) => input.write(new TextEncoder().encode(JSON.stringify(frame) + "\\n"));
await send({ type: "bash", command: "sleep 31415 & sleep 31415" });
await send({ type: "prompt", message: "Count." });
let text = "";
for await (const piece of saber.stdout.pipeThrough(new TextDecoderStream())) {
  text += piece;
  if (text.includes("tool_execution_update")) break;
}
await Deno.stdout.write(new TextEncoder().encode(saber.pid + "\\n"));
await new Promise((go) => setTimeout(go, 600_000));
`;

async function isAlive(pattern: string): Promise<boolean> {
  const { stdout } = await new Deno.Command("ps", { args: ["-Awwo", "pid=,stat=,args="] }).output();
  return new TextDecoder().decode(stdout).split("\n").some((line) =>
    line.includes(pattern) && !/^\s*\d+\s+Z/.test(line)
  );
}

async function settles(isOver: () => Promise<boolean>, patienceMs: number): Promise<boolean> {
  for (const end = Date.now() + patienceMs; Date.now() < end;) {
    if (await isOver()) return true;
    await new Promise((go) => setTimeout(go, 100));
  }
  return await isOver();
}

Deno.test("when the host is killed, saber and all that it started are gone", async () => {
  const folder = await Deno.makeTempDir();
  const database = `${folder}/shop.sqlite`;
  await Deno.copyFile(await shop("sqlite"), database);
  await using server = startModelServer([{
    stream: { text: toolCallStream("execute_sql", { query: SLOW }) },
  }]);
  const args = ["--mode", "rpc", "-d", database, "--no-session", "--model", "openai:m", "--timeout", "600"];
  await using host = new Program({
    command: ["deno", "eval"],
    args: [HOST, JSON.stringify([...saberCommand(), ...args])],
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
  });
  const pid = await host.line(60_000) ?? assert.fail(await host.errors());
  assert.ok(await isAlive("sleep 31415"));
  host.signal("SIGKILL");
  const isGone = async () =>
    (await processesOf(database)).length === 0 && !await isAlive("sleep 31415") &&
    !await isAlive(` ${database} `);
  assert.ok(await settles(isGone, 10_000), `something of saber ${pid} is left`);
});

Deno.test("when saber is killed, its session opens with every entry that was told", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/session.jsonl`;
  const args = ["-d", await shop("sqlite"), "--model", "openai:m", "--session", path];
  const list = { stream: "openai/list_tables.sse" };
  await using server = startModelServer((n) => n % 2 === 0 ? list : { stream: "openai/text.sse", paceMs: 3 });
  const env = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" };
  let told = 0;
  for (let round = 0; round < 8; round++) {
    await using host = new OmpHost({ args, env });
    await host.send({ id: "m", type: "get_messages" });
    const { data } = await host.answer("m") as { data?: { messages?: { role: string }[] } };
    const kept = data?.messages?.length ?? 0;
    assert.ok(kept >= told, `${kept} of ${told} messages are there`);
    told = kept;
    await host.send({ type: "prompt", message: `Question ${round}` });
    const kills = 2 + round;
    for (let ends = 0; ends < kills;) {
      const frame = await host.next() ?? assert.fail("it ended by itself");
      if (frame.type === "message_end") {
        ends++;
        told++;
      }
      if (frame.type === "agent_end") break;
    }
    host.program.signal("SIGKILL");
    await host.program.exit;
  }
});

Deno.test("when its parent is gone, saber ends although somebody still holds its input open", async () => {
  const folder = await Deno.makeTempDir();
  const database = `${folder}/shop.sqlite`;
  await Deno.copyFile(await shop("sqlite"), database);
  await new Deno.Command("mkfifo", { args: [`${folder}/input`] }).output();
  const saber = [...saberCommand(), "--mode", "rpc", "-d", database, "--no-session", "--model", "ollama:m"];
  const started = `${saber.map((word) => `'${word}'`).join(" ")} < '${folder}/input' & wait`;
  await using host = new Program({ command: ["sh"], args: ["-c", started] });
  const holder = await Deno.open(`${folder}/input`, { write: true });
  assert.equal(await host.line(60_000), '{"type":"ready"}');
  host.signal("SIGKILL");
  assert.ok(await settles(async () => !await isAlive(` ${database} `), 20_000));
  holder.close();
});
