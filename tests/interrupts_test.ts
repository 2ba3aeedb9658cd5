/**
 * Ctrl+C as a process sees it, in every command that waits for somebody else: it ends with what shells expect of that.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { PATIENCE_MS } from "./support/patience.ts";
import { Program } from "./support/program.ts";
import { shop } from "./support/shop.ts";

const ignore = Deno.build.os === "windows"; // no process can send another one Ctrl+C there

/** It takes connections and never says a word. `reached` settles with the first of them. */
function silentServer() {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const taken: Deno.Conn[] = [];
  const reached = Promise.withResolvers<void>();
  (async () => {
    for await (const connection of listener) {
      taken.push(connection);
      reached.resolve();
    }
  })();
  return {
    host: `127.0.0.1:${listener.addr.port}`,
    reached: reached.promise,
    [Symbol.dispose]() {
      for (const connection of taken) connection.close();
      listener.close();
    },
  };
}

type Waiting = (server: string) => readonly string[];

const COMMANDS: { readonly [name: string]: Waiting } = {
  "sql on PostgreSQL": (server) => ["sql", "-d", `postgresql://reader@${server}/shop`, "SELECT 1"],
  "sql on MySQL": (server) => ["sql", "-d", `mysql://reader@${server}/shop`, "SELECT 1"],
  "db test": (server) => ["db", "test", "-d", `postgresql://reader@${server}/shop`],
  "doctor": (server) => ["doctor", "-d", `postgresql://reader@${server}/shop`],
  "models list": () => ["models", "list", "openai"],
  "upgrade": () => ["upgrade", "--check"],
  "a question": () => ["-d", "sqlite::memory:", "--model", "openai:test", "--no-thread", "How many?"],
};

for (const [name, args] of Object.entries(COMMANDS)) {
  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    Deno.test({ name: `${signal} ends ${name} with ${code}`, ignore }, async () => {
      using server = silentServer();
      const url = `http://${server.host}`;
      const env = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: `${url}/v1`, SQLSABER_RELEASE_URL: url };
      await using program = new Program({ args: args(server.host), env });
      await program.endInput();
      await server.reached;
      program.signal(signal);
      assert.equal((await program.exit).code, code);
      assert.equal(await program.errors(), "Stopped.\n");
      assert.equal(await program.line(PATIENCE_MS), undefined);
    });
  }
}

Deno.test({ name: "a second Ctrl+C leaves where the first one has to wait", ignore }, async () => {
  const folder = await Deno.makeTempDir({ prefix: "saber-pipe-" });
  const pipe = join(folder, "key");
  await new Deno.Command("mkfifo", { args: [pipe] }).output();
  const args = ["--key-file", pipe, "-d", await shop("sqlite"), "--model", "openai:test", "How many?"];
  await using program = new Program({ args });
  using _silent = await Deno.open(pipe, { write: true }); // opens when the program does
  program.signal("SIGINT");
  const isOver = program.exit.then(() => true);
  const waits = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 500));
  assert.equal(await Promise.race([isOver, waits]), false, "the first one was enough");
  program.signal("SIGINT");
  assert.equal((await program.exit).code, 130);
  await Deno.remove(folder, { recursive: true });
});
