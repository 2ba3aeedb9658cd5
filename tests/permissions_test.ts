/**
 * What each mode may still do once it serves, as Deno says inside the running program: in one that runs from source to a
 * witness that is loaded beside it, in a compiled one ($PROGRAM) in its own log.
 */
import assert from "node:assert/strict";
import { FrameReader, toFrame } from "../src/db/sqlite_child/frames.ts";
import { callOf, hello, request } from "./support/mcp.ts";
import { startModelServer } from "./support/model_server.ts";
import { PATIENCE_MS } from "./support/patience.ts";
import { Program, saberCommand } from "./support/program.ts";
import { shop } from "./support/shop.ts";
import { READER, sharedPostgres } from "./support/postgres_server.ts";
import { processesOf } from "./support/sqlite_processes.ts";

const WITNESS = ["--preload", "tests/support/permission_witness.ts"];
const IS_COMPILED = Deno.env.has("PROGRAM");

/** Starts the program with the witness, where one can be loaded. */
function watched(args: readonly string[], env: { readonly [name: string]: string } = {}): Program {
  const [program = "", ...words] = saberCommand();
  return new Program({
    command: [program, ...words.flatMap((word) => word === "run" ? [word, ...WITNESS] : [word])],
    args,
    env: { SQLSABER_LOG_TO_STDERR: "1", OPENAI_API_KEY: "key", ...env },
  });
}

/** What the program held in the end; its input is over. */
async function held(program: Program): Promise<string> {
  while (await program.line(PATIENCE_MS) !== undefined);
  const errors = await program.errors();
  const logged = errors.match(/(?<="permissions left: )[^"]*/g)?.at(-1)?.replaceAll(",", "");
  const seen = IS_COMPILED ? logged : /^held at the end: (.*)$/m.exec(errors)?.[1];
  assert.ok(seen !== undefined, errors);
  if (logged !== undefined) assert.equal(logged, seen); // the log tells the truth
  return seen;
}

async function heldAfterStart(args: readonly string[]): Promise<string> {
  await using program = watched(args);
  await program.endInput();
  return await held(program);
}

const MODEL = ["--model", "openai:test"];
const ELSEWHERE = "postgresql://somebody:secret@127.0.0.1:1/nothing";

/** Arguments and what is left, in Deno's words; `sqlite`, `duckdb` and `csv` stand for the shop's file. */
const SERVING: readonly (readonly [args: readonly string[], left: string])[] = [
  [["mcp", "-d", "sqlite"], "read run"],
  [["mcp", "-d", "duckdb"], "read"],
  [["mcp", "-d", "csv"], "read"],
  [["mcp", "-d", "sqlite", "-d", "csv"], "read run"],
  [["mcp", "-d", ELSEWHERE], "read env net sys"],
  [["sql", "-d", "sqlite", "SELECT 1"], "read run"],
  [["sql", "-d", "duckdb", "SELECT 1"], "read"],
  [["sql", "-d", "csv", "SELECT 1"], "read"],
  [["rpc", ...MODEL, "-d", "sqlite"], "read write env net run ffi"],
  [["rpc", ...MODEL, "-d", "duckdb"], "read write env net ffi"],
  [["rpc", ...MODEL, "-d", ELSEWHERE], "read write env net ffi sys"],
  [["--mode", "rpc", ...MODEL, "-d", "sqlite"], "read write env net run ffi"],
  [["--mode", "rpc", ...MODEL, "-d", "duckdb"], "read write env net run ffi"],
  [["plugin", "--driver", "saber-sqlite"], "read write run"],
  [["plugin", "--driver", "saber-duckdb"], "read write ffi"],
  [["plugin", "--driver", "saber-files"], "read write ffi"],
  [["plugin", "--driver", "saber-postgres"], "read write env net sys"],
  [["plugin", "--driver", "saber-mysql"], "read write env net sys"],
];

for (const [args, left] of SERVING) {
  const shown = args.map((word) => word === ELSEWHERE ? "postgresql://…" : word).join(" ");
  Deno.test(`saber ${shown} keeps ${left}`, async () => {
    const places: { [word: string]: string } = {
      sqlite: await shop("sqlite"),
      duckdb: await shop("duckdb"),
      csv: `${await shop("csv")}/customers.csv`,
    };
    assert.equal(await heldAfterStart(args.map((word) => places[word] ?? word)), left);
  });
}

Deno.test("saber sql on PostgreSQL keeps read env net sys", async () => {
  const { port } = await sharedPostgres(18);
  const { user, password } = READER;
  const dsn = `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/shop?sslmode=disable`;
  assert.equal(await heldAfterStart(["sql", "-d", dsn, "SELECT 1"]), "read env net sys");
});

Deno.test("saber mcp over HTTP keeps read run, and goes on to answer", async () => {
  await using program = watched(["mcp", "-d", await shop("sqlite"), "--transport", "http", "--port", "0"]);
  const url = await program.saying(/http:\S+\/mcp(?=\n)/);
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(hello()[0]),
  });
  assert.match(await response.text(), /"serverInfo"/);
  program.signal("SIGTERM");
  assert.equal(await held(program), "read run");
});

Deno.test("a question keeps what the model, its results and its database need", async () => {
  await using models = startModelServer([{ stream: "openai/text.sse" }]);
  const args = [...MODEL, "--no-thread", "-d", await shop("sqlite"), "How many customers are there?"];
  await using program = watched(args, { OPENAI_BASE_URL: models.baseUrl });
  await program.endInput();
  assert.equal(await held(program), "read write env net run ffi");
});

if (!IS_COMPILED) {
  for (
    const [args, left] of [
      [["theme", "list"], "read write"],
      [["threads", "list"], "read write"],
      [["completions", "bash"], "read write"],
      [["db", "list"], "read write env ffi"],
      [["knowledge", "list"], "read write env ffi"],
      [["models", "list"], "read write env net ffi"],
      [["upgrade"], "read write net"],
    ] as const
  ) {
    Deno.test(`saber ${args.join(" ")} keeps ${left}`, async () => {
      assert.equal(await heldAfterStart(args), left);
    });
  }

  Deno.test("a SQLite process keeps nothing once its file is open, and before that may read that file alone", async () => {
    const path = await shop("sqlite");
    await using server = watched(["mcp", "-d", path]);
    const call = request("rows", "tools/call", callOf("execute_sql", { query: "SELECT 1 AS one" }));
    for (const message of [...hello(), call]) await server.send(`${JSON.stringify(message)}\n`);
    while (!(await server.line(PATIENCE_MS))?.includes('"id":"rows"'));
    const [found] = await processesOf(path);
    assert.ok(found);
    const [program = "", ...args] = found.commandLine.split(" ");
    const allowed = args.filter((word) => word.startsWith("--allow"));
    const before29 = /^2\.[0-8]\./.test(Deno.version.deno); // there it can't end itself without
    assert.deepEqual(allowed, [`--allow-read=${path}`, ...before29 ? ["--allow-run"] : []]);
    assert.equal(await heldByCopy(program, args), before29 ? "run" : "");
  });
}

/** Starts such a process once more, with the witness, and has it open its file; what it holds in the end. */
async function heldByCopy(
  program: string,
  [run = "", ...args]: readonly string[],
): Promise<string | undefined> {
  const child = new Deno.Command(program, {
    args: [run, "--preload", new URL("support/permission_witness.ts", import.meta.url).pathname, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  await input.write(toFrame({ sql: "SELECT 42 AS n" }));
  await input.close();
  const { stdout, stderr } = await child.output();
  const frames = new FrameReader();
  frames.push(stdout);
  assert.match(frames.next()?.json ?? "", /"rows":\[\[42\]\]/);
  return /^held at the end: (.*)$/m.exec(new TextDecoder().decode(stderr))?.[1];
}
