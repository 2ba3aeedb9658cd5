/**
 * No API key leaves the program but to its provider: not in a line, a log, a thread, the process list or a report of a crash.
 */
import assert from "node:assert/strict";
import { type Play, startModelServer } from "../support/model_server.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { Program } from "../support/program.ts";
import { shop } from "../support/shop.ts";

const KEY = "sk-Zq81kX-0123456789abcdef-TopSecret";
/** Even a part of it is too much. */
const PIECE = /Zq81kX|TopSecret/;

/** Servers that repeat the key in every place where one can. */
const PLAYS: readonly Play[] = [
  { status: 401, body: JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}.` } }) },
  { status: 400, body: `bad header authorization: Bearer ${KEY}`, headers: { "x-echo": KEY } },
  { stream: { text: `data: {"error":{"message":"no such key ${KEY}","code":"400"}}\n\n` } },
  { stream: { text: `data: ${KEY}\n\n` } },
  { stream: "openai/list_tables.sse" },
  { stream: "openai/text.sse" },
];

async function text(path: string): Promise<string> {
  return new TextDecoder("latin1").decode(await Deno.readFile(path));
}

/** Everything in a folder, names and contents. */
async function everything(folder: string): Promise<string> {
  let all = "";
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    all += `${name}\n${isDirectory ? await everything(path) : await text(path)}\n`;
  }
  return all;
}

/** What the process list shows; Deno itself may not read that place. */
async function processTitle(pid: number): Promise<string> {
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/cmdline`] }).output();
  const title = new TextDecoder().decode(stdout);
  assert.match(title, /main\.ts|saber/);
  return title;
}

const WAYS: {
  readonly [way: string]: (home: string) => Promise<{ args: string[]; env: { [name: string]: string } }>;
} = {
  environment: () => Promise.resolve({ args: [], env: { OPENAI_API_KEY: KEY } }),
  "key file": async (home) => {
    await Deno.writeTextFile(`${home}/key`, KEY);
    return { args: ["--key-file", `${home}/key`], env: {} };
  },
  "kept key": async (home) => {
    await Deno.mkdir(`${home}/.config/sqlsaber`, { recursive: true });
    await Deno.writeTextFile(`${home}/.config/sqlsaber/api_keys.json`, JSON.stringify({ openai: KEY }), {
      mode: 0o600,
    });
    return { args: [], env: { XDG_CONFIG_HOME: `${home}/.config` } };
  },
};

for (const [way, prepare] of Object.entries(WAYS)) {
  Deno.test(`no key is in anything that saber leaves behind: ${way}`, async () => {
    const home = await Deno.makeTempDir();
    const left = `${home}/left`;
    const { args, env } = await prepare(home);
    await using server = startModelServer((n) => PLAYS[n] ?? { status: 400, body: "" });
    await using program = new Program({
      args: ["rpc", "-d", await shop("sqlite"), "--model", "openai:gpt-5", ...args],
      home,
      env: {
        OPENAI_BASE_URL: server.baseUrl,
        XDG_DATA_HOME: left,
        XDG_STATE_HOME: left,
        SQLSABER_LOG_FILE: `${left}/saber.log`,
        SQLSABER_LOG_LEVEL: "DEBUG",
        SQLSABER_LOG_TO_STDERR: "1",
        ...env,
      },
    });
    let said = "";
    const until = async (part: string) => {
      for (let line: string | undefined = ""; !line.includes(part);) {
        line = await program.line(PATIENCE_MS);
        if (line === undefined) assert.fail(`the output ended:\n${said}\n${await program.errors()}`);
        said += `${line}\n`;
      }
    };
    for (const [n] of PLAYS.slice(0, 5).entries()) {
      await program.send(`{"type":"prompt","message":"How many? (${n})"}\n`);
      await until('"agent_end"');
    }
    assert.equal(server.asked[0]?.headers.get("authorization"), `Bearer ${KEY}`);
    assert.match(said, /"status":"completed"/, "the next prompt did not work");
    if (Deno.build.os === "linux") said += await processTitle(program.pid);
    await program.send('{"type":"get_messages"}\n{"type":"get_state"}\n{"type":"shutdown"}\n');
    await until('"shutdown"');
    assert.equal((await program.exit).code, 0);
    for (
      const [what, all] of Object.entries({
        stdout: said,
        stderr: await program.errors(),
        files: await everything(left),
      })
    ) {
      assert.ok(all.length > 0, `${what} has nothing in it`);
      assert.doesNotMatch(all, PIECE, what);
    }
    await Deno.remove(home, { recursive: true });
  });
}

Deno.test("a crash tells nothing of the key", async () => {
  const program = new Deno.Command("deno", {
    args: ["run", "-q", "-P=test", new URL("../support/crashing_model.ts", import.meta.url).pathname],
    env: { OPENAI_API_KEY: KEY, NO_COLOR: "1" },
    stderr: "piped",
    stdout: "piped",
  });
  const { code, stdout, stderr } = await program.output();
  const told = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.equal(code, 1);
  assert.match(told, /crashed on purpose/);
  assert.doesNotMatch(told, PIECE);
});
