/**
 * From the start of the process to its first answer, next to a hello world under the same Deno; where $PROGRAM is a compiled
 * saber, next to a compiled one.
 */
import { resolve } from "node:path";
import { openedOnce } from "../../src/base/opened_once.ts";
import { Program } from "../support/program.ts";
import { shop } from "../support/shop.ts";
import { type Bench, inTurns } from "./bench.ts";

export const isCompiled = Deno.env.has("PROGRAM");
const helloCommand = openedOnce(() => commandOf("tests/bench/hello.ts"));
const TURNS = { turns: 20, warmUp: 2 };

/** No model is asked before the first prompt; the key only has to be there. */
export const RPC_ENV = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };

export async function untilFirstLine(program: Program, first = ""): Promise<Program> {
  await program.send(first);
  if (await program.line(20_000) === undefined) throw new Error(`It ended:\n${await program.errors()}`);
  return program;
}

export const hello = async () =>
  await untilFirstLine(new Program({ command: await helloCommand(), args: [] }));

/** How a small program is run in the way that saber is. */
export async function commandOf(source: string): Promise<string[]> {
  if (!isCompiled) return ["deno", "run", "-q", source];
  const path = resolve("dist/build/hello");
  const args = ["compile", "-q", "--no-config", "--output", path, source];
  const { success } = await new Deno.Command("deno", { args }).output();
  if (!success) throw new Error("The hello world can't be compiled.");
  return [path];
}

export const startRpc: Bench = {
  name: "saber rpc on SQLite until ready",
  baseline: "hello world",
  limit: { ratio: 3 },
  run: async () => {
    const args = ["rpc", "-d", await shop("sqlite"), "--no-thread", "--model", "openai:test"];
    return await inTurns({
      measured: () => untilFirstLine(new Program({ args, env: RPC_ENV })),
      baseline: hello,
    }, TURNS);
  },
};

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
});

export const startMcp: Bench = {
  name: "saber mcp on SQLite until initialized",
  baseline: "hello world",
  run: async () => {
    const args = ["mcp", "-d", await shop("sqlite")];
    return await inTurns({
      measured: () => untilFirstLine(new Program({ args }), `${INITIALIZE}\n`),
      baseline: hello,
    }, TURNS);
  },
};

/** What a person waits for at a terminal before anything is asked: until the process has ended. */
function startOf(name: string, args: readonly string[]): Bench {
  const ended = async (program: Program): Promise<Program> => {
    await program.endInput();
    await program.exit;
    return program;
  };
  return {
    name,
    baseline: "hello world",
    limit: { ratio: isCompiled ? 1.5 : 2.2 },
    run: async () =>
      await inTurns({
        measured: () => ended(new Program({ args })),
        baseline: async () => await ended(new Program({ command: await helloCommand(), args: [] })),
      }, TURNS),
  };
}

export const START_CLI: readonly Bench[] = [
  startOf("saber --help", ["--help"]),
  startOf("saber --version", ["--version"]),
  startOf("saber and a usage error", ["nothing"]),
];
