import assert from "node:assert/strict";
import { type Message, messageSchema } from "../../support/line_peer.ts";
import { callOf, hello, request } from "../../support/mcp.ts";
import { PATIENCE_MS, SOON_MS } from "../../support/patience.ts";
import { Program, saberCommand } from "../../support/program.ts";
import { shop } from "../../support/shop.ts";
import { repository } from "../../support/sources.ts";

const ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";
const path = await shop("sqlite");

const sql = (id: number, query: string) => request(id, "tools/call", callOf("execute_sql", { query }));
const lines = (...messages: unknown[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join("");

/** saber on the shop, after the handshake. */
async function start(): Promise<Program> {
  const program = new Program({ args: ["mcp", "-d", path] });
  await program.send(lines(...hello()));
  assert.equal((await next(program)).id, "hello");
  return program;
}

/** Every line of stdout is a message. */
async function next(program: Program): Promise<Message> {
  return messageSchema.parse(JSON.parse(await program.line(PATIENCE_MS) ?? "the output has ended"));
}

/** Answers the first statement, which starts what it needs, then leaves one running that would run for ever. */
async function startEndless(): Promise<Program> {
  const program = await start();
  await program.send(lines(sql(0, "SELECT 1")));
  await next(program);
  await program.send(lines(sql(1, ENDLESS)));
  await new Promise((resolve) => setTimeout(resolve, 300));
  return program;
}

async function childrenOf(pid: number): Promise<number[]> {
  const args = ["-o", "pid=", "--ppid", String(pid)];
  const { stdout } = await new Deno.Command("ps", { args, stdout: "piped" }).output();
  return new TextDecoder().decode(stdout).split(/\s+/).filter((word) => word !== "").map(Number);
}

/** Whether the process ends soon. */
async function ends(pid: number): Promise<boolean> {
  for (const begun = performance.now(); performance.now() - begun < SOON_MS;) {
    const { success } = await new Deno.Command("kill", { args: ["-0", String(pid)], stderr: "null" })
      .output();
    if (!success) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

const ENDINGS: { readonly [what: string]: (program: Program) => void } = {
  "the end of its input": (program) => void program.endInput(),
  SIGTERM: (program) => program.signal("SIGTERM"),
  SIGINT: (program) => program.signal("SIGINT"),
  SIGHUP: (program) => program.signal("SIGHUP"),
};

for (const [what, end] of Object.entries(ENDINGS)) {
  Deno.test({
    name: `${what} ends the program within a second, also while a statement runs`,
    ignore: Deno.build.os === "windows" && what.startsWith("SIG"),
    fn: async () => {
      await using program = await startEndless();
      const children = Deno.build.os === "linux" ? await childrenOf(program.pid) : [];
      const begun = performance.now();
      end(program);
      assert.equal((await program.exit).code, 0);
      assert.ok(performance.now() - begun < SOON_MS, `${performance.now() - begun} ms`);
      assert.equal(await program.line(PATIENCE_MS), undefined);
      for (const child of children) assert.ok(await ends(child), "a child is left behind");
    },
  });
}

Deno.test("an idle server is gone 200 ms after its client", async () => {
  await using program = await start();
  const begun = performance.now();
  await program.endInput();
  assert.equal((await program.exit).code, 0);
  assert.ok(performance.now() - begun < SOON_MS, `${performance.now() - begun} ms`);
});

Deno.test("a program whose output nobody reads any more ends within a second", async () => {
  const [command = "", ...words] = saberCommand();
  const child = new Deno.Command(command, {
    args: [...words, "mcp", "-d", path],
    cwd: repository,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  const writer = child.stdin.getWriter();
  const encoder = new TextEncoder();
  await writer.write(encoder.encode(lines(...hello())));
  await reader.read();
  await reader.cancel();
  const begun = performance.now();
  await writer.write(encoder.encode(lines(request(1, "ping"))));
  assert.equal((await child.status).code, 0);
  assert.ok(performance.now() - begun < SOON_MS);
  await writer.close().catch(() => {}); // its reader is gone
});

Deno.test("a running statement is stopped without an answer, and the next starts within a second", async () => {
  await using program = await startEndless();
  const begun = performance.now();
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  await program.send(lines(cancel, sql(2, "SELECT 2 AS two")));
  const { id, result } = await next(program);
  assert.equal(id, 2);
  assert.ok(performance.now() - begun < SOON_MS, `${performance.now() - begun} ms`);
  assert.match(JSON.stringify(result?.structuredContent), /"results":\[\{"two":2\}\]/);
  await program.endInput();
  assert.equal(await program.line(PATIENCE_MS), undefined);
});

Deno.test("500 statements in one write are all answered, in order", async () => {
  await using program = await start();
  const ids = Array.from({ length: 500 }, (_, index) => index);
  await program.send(lines(...ids.map((id) => sql(id, `SELECT ${id} AS n`))));
  for (const expected of ids) {
    const { id, result } = await next(program);
    assert.equal(id, expected);
    assert.match(
      JSON.stringify(result?.structuredContent),
      new RegExp(`"results":\\[\\{"n":${expected}\\}\\]`),
    );
  }
});

Deno.test("requests that came before the end of the input are still answered", async () => {
  await using program = await start();
  // The half second that is left at the end of the input is for statements, not for the engine's start.
  await program.send(lines(sql(0, "SELECT 0 AS n")));
  await next(program);
  await program.send(lines(sql(1, "SELECT 1 AS n"), sql(2, "SELECT 2 AS n")));
  await program.endInput();
  assert.deepEqual([(await next(program)).id, (await next(program)).id], [1, 2]);
  assert.equal((await program.exit).code, 0);
});

Deno.test({
  name: "what a library prints goes to stderr",
  ignore: Deno.env.has("PROGRAM"), // only the sources can be started with a chatterbox
  fn: async () => {
    const main = JSON.stringify(new URL("main.ts", repository).href);
    const chatter = `for (const say of ["log", "info", "debug"]) setTimeout(() => console[say](say), 1000);
      await import(${main});`;
    const script = await Deno.makeTempFile({ suffix: ".js" });
    await Deno.writeTextFile(script, chatter);
    const command = ["deno", "run", "-q", "-P", "--config=deno.json", script];
    await using program = new Program({ command, args: ["mcp", "-d", path] });
    await program.send(lines(...hello()));
    assert.equal((await next(program)).id, "hello");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await program.send(lines(request(1, "ping")));
    assert.equal((await next(program)).id, 1);
    await program.endInput();
    assert.equal(await program.errors(), "log\ninfo\ndebug\n");
    await Deno.remove(script);
  },
});
