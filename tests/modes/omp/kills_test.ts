/**
 * What is left when the host, or saber itself, is killed: no process of the one, every finished entry of the other.
 */
import assert from "node:assert/strict";
import { startModelServer } from "../../support/model_server.ts";
import { OmpHost } from "../../support/omp_host.ts";
import { PATIENCE_MS, SOON_MS } from "../../support/patience.ts";
import { isAlive, settles } from "../../support/processes.ts";
import { Program, saberCommand } from "../../support/program.ts";
import { shop } from "../../support/shop.ts";
import { isBusyWith, processesOf } from "../../support/sqlite_processes.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

const SLOW =
  "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 900000000) SELECT max(n) FROM c";

/**
 * A host that starts saber, gives it a shell command with children of its own and a helper whose statement goes on for
 * long, and says so when all of them run.
 */
const HOST = `
const [shell, command, ...args] = JSON.parse(Deno.args[0]);
const saber = new Deno.Command(command, { args, stdin: "piped", stdout: "piped" }).spawn();
const input = saber.stdin.getWriter();
const send = (frame) => input.write(new TextEncoder().encode(JSON.stringify(frame) + "\\n"));
await send({ type: "set_subagent_subscription", level: "events" });
await send({ type: "bash", command: shell });
await send({ type: "prompt", message: "Count." });
let text = "";
for await (const piece of saber.stdout.pipeThrough(new TextDecoderStream())) {
  text += piece;
  if (/"subagent_event"[^\\n]*"tool_execution_start"/.test(text)) break;
}
await Deno.stdout.write(new TextEncoder().encode(saber.pid + "\\n"));
await new Promise((go) => setTimeout(go, 600_000));
`;

Deno.test("soon after its host is killed, saber and all that it started are gone", async () => {
  const folder = await Deno.makeTempDir();
  const database = `${folder}/shop.sqlite`;
  await Deno.copyFile(await shop("sqlite"), database);
  const scout = { agent: "schema-scout", tasks: [{ assignment: "Count slowly." }] };
  await using server = startModelServer([
    { stream: { text: toolCallStream("task", scout) } },
    { stream: { text: toolCallStream("execute_sql", { query: SLOW }) } },
  ]);
  // a child in the background, a grandchild of one that has ended, and one that does not want to end
  const mark = `31${String(Date.now()).slice(-6)}`;
  const shell =
    `sleep ${mark} & (sh -c 'sleep ${mark} & sleep ${mark}' &); trap '' TERM; sleep ${mark}; sleep ${mark}`;
  const args = ["--mode", "rpc", "-d", database, "--no-session", "--model", "openai:m", "--timeout", "600"];
  await using host = new Program({
    command: ["deno", "eval"],
    args: [HOST, JSON.stringify([shell, ...saberCommand(), ...args])],
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
  });
  const pid = await host.line(PATIENCE_MS) ?? assert.fail(await host.errors());
  const isBusy = async () => await isBusyWith(database) && await isAlive(`sleep ${mark}`);
  assert.ok(await settles(isBusy, PATIENCE_MS), "not everything runs");
  host.signal("SIGKILL");
  const isGone = async () =>
    (await processesOf(database)).length === 0 && !await isAlive(`sleep ${mark}`) &&
    !await isAlive(` ${database} `);
  assert.ok(await settles(isGone, SOON_MS), `something of saber ${pid} is left`);
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

for (const isWatched of [true, false]) {
  const how = isWatched ? "saber ends although" : "with SABER_WATCH_PARENT=0 saber lives as long as";
  Deno.test(`report 29 (DeusData/codebase-memory-mcp#406): when its parent is gone, ${how} somebody still holds its input open`, async () => {
    const folder = await Deno.makeTempDir();
    const database = `${folder}/shop.sqlite`;
    await Deno.copyFile(await shop("sqlite"), database);
    await new Deno.Command("mkfifo", { args: [`${folder}/input`] }).output();
    const saber = [...saberCommand(), "--mode", "rpc", "-d", database, "--no-session", "--model", "ollama:m"];
    const started = `${saber.map((word) => `'${word}'`).join(" ")} < '${folder}/input' & wait`;
    const env = isWatched ? {} : { SABER_WATCH_PARENT: "0" };
    await using host = new Program({ command: ["sh"], args: ["-c", started], env });
    const holder = await Deno.open(`${folder}/input`, { write: true });
    assert.equal(await host.line(PATIENCE_MS), '{"type":"ready"}');
    host.signal("SIGKILL");
    const isGone = async () => !await isAlive(` ${database} `);
    assert.equal(await settles(isGone, isWatched ? SOON_MS : 8000), isWatched);
    holder.close();
    assert.ok(await settles(isGone));
  });
}
