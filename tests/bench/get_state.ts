/**
 * One round trip over the pipe: get_state of an idle session, next to a process that only copies its input.
 */
import { Program } from "../support/program.ts";
import { shop } from "../support/shop.ts";
import { type Bench, inTurns } from "./bench.ts";
import { RPC_ENV } from "./start.ts";

const COMMAND = '{"type":"get_state","id":1}\n';

async function roundTrip(program: Program): Promise<void> {
  await program.send(COMMAND);
  if (await program.line(20_000) === undefined) throw new Error(`It ended:\n${await program.errors()}`);
}

export const getState: Bench = {
  name: "get_state round trip",
  baseline: "a process that echoes",
  limit: { ms: 0.5 },
  run: async () => {
    const args = ["rpc", "-d", await shop("sqlite"), "--no-thread", "--model", "openai:test"];
    await using saber = new Program({ args, env: RPC_ENV });
    await using echo = new Program({ command: ["deno", "run", "-q", "tests/bench/echo_lines.ts"], args: [] });
    await saber.line(20_000);
    const work = { measured: () => roundTrip(saber), baseline: () => roundTrip(echo) };
    return await inTurns(work, { turns: 2000, warmUp: 200 });
  },
};
