/**
 * Connections over the real pipes of a real process: how it ends, and what it costs when nobody reads.
 */
import assert from "node:assert/strict";
import { residentMiB } from "../support/memory.ts";
import { repository } from "../support/sources.ts";

const SERVER = ["run", "-q", "--no-lock", "tests/support/echo_server.ts"];

interface Server {
  readonly child: Deno.ChildProcess;
  readonly input: WritableStreamDefaultWriter<Uint8Array>;
}

function start(): Server {
  const child = new Deno.Command("deno", {
    args: SERVER,
    cwd: repository,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return { child, input: child.stdin.getWriter() };
}

const encode = (text: string) => new TextEncoder().encode(text);
const echo = (id: number, text = "hi") => encode(JSON.stringify({ type: "echo", id, text }) + "\n");

/** The exit code, the answers and how the connection ended. */
async function finish({ child }: Server): Promise<{ code: number; lines: string[]; ending: string }> {
  const { code, stdout, stderr } = await child.output();
  const lines = new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
  return { code, lines, ending: new TextDecoder().decode(stderr) };
}

Deno.test("the end of stdin lets every command finish, the unterminated last one too", async () => {
  const server = start();
  await server.input.write(encode('{"type":"wait","ms":50,"id":1}\n{"type":"wait","ms":1,"id":2}'));
  await server.input.close();
  const { code, lines, ending } = await finish(server);
  assert.deepEqual([code, ending], [0, "end"]);
  assert.deepEqual(lines.map((line) => JSON.parse(line).id), [1, 2]);
});

Deno.test("a reader that goes away ends the process and aborts what hangs", async () => {
  const server = start();
  await server.input.write(encode('{"type":"hang"}\n'));
  await server.input.write(echo(1));
  const reader = server.child.stdout.getReader();
  await reader.read();
  await reader.cancel();
  await server.input.write(echo(2));
  const { code } = await server.child.status;
  assert.equal(code, 0);
  assert.equal(await new Response(server.child.stderr).text(), "broken");
  await server.input.close().catch(() => {});
});

Deno.test("a stdin that is closed, or that cannot be read, is one that has ended", {
  ignore: Deno.build.os === "windows",
}, async () => {
  for (const redirection of ["<&-", "< .", "< /dev/null"]) {
    const { code, stderr } = await new Deno.Command("sh", {
      args: ["-c", `exec deno ${SERVER.join(" ")} ${redirection}`],
      cwd: repository,
    }).output();
    assert.deepEqual([code, new TextDecoder().decode(stderr)], [0, "end"], redirection);
  }
});

Deno.test("while nobody reads, memory stays flat; then every answer comes", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  const server = start();
  const text = "x".repeat(100_000);
  await server.input.write(echo(0));
  const before = await residentMiB(server.child.pid);
  const sending = (async () => {
    for (let id = 1; id <= 6000; id++) await server.input.write(echo(id, text));
    await server.input.close();
  })();
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const grown = await residentMiB(server.child.pid) - before;
  assert.ok(grown < 350, `grew by ${Math.round(grown)} MiB`);
  const { code, lines } = await finish(server);
  await sending;
  const ids = lines.map((line) => JSON.parse(line).id).toSorted((a, b) => a - b);
  assert.equal(code, 0);
  assert.deepEqual(ids, Array.from({ length: 6001 }, (_, id) => id));
});
