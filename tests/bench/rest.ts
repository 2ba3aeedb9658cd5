/**
 * The memory of `saber rpc` at rest, when it has answered a question about SQLite, next to a hello world that waits under the
 * same Deno; where $PROGRAM is a compiled saber, next to a compiled one.
 */
import { residentMiB } from "../support/memory.ts";
import { startModelServer } from "../support/model_server.ts";
import { Program } from "../support/program.ts";
import { shop } from "../support/shop.ts";
import { toolCallStream } from "../support/tool_call_stream.ts";
import type { Bench, Samples } from "./bench.ts";
import { commandOf, isCompiled, untilFirstLine } from "./start.ts";

const PATIENCE_MS = 60_000;
/** How long a program has nothing to do before it counts as at rest. */
const REST_MS = 1_000;
const TURNS = 3;

export const rest: Bench = {
  name: "saber rpc at rest after a query, without its SQLite process",
  baseline: "hello world that waits",
  unit: "MiB",
  ...isCompiled ? { limit: { ratio: 1.5 } } : {},
  run: async () => {
    const command = await commandOf("tests/bench/waiting_hello.ts");
    const samples: Samples & { measured: number[]; baseline: number[] } = { measured: [], baseline: [] };
    for (let turn = 0; turn < TURNS; turn++) {
      await using hello = await untilFirstLine(new Program({ command, args: [] }));
      samples.baseline.push(await atRest(hello));
      samples.measured.push(await afterQuestion());
    }
    return samples;
  },
};

async function afterQuestion(): Promise<number> {
  const query = "SELECT count(*) AS n FROM customers";
  await using models = startModelServer([
    { stream: { text: toolCallStream("execute_sql", { query }) } },
    { stream: "openai/text.sse" },
  ]);
  const args = ["rpc", "-d", await shop("sqlite"), "--no-thread", "--model", "openai:test"];
  await using rpc = new Program({
    args,
    env: { OPENAI_API_KEY: "key", OPENAI_BASE_URL: models.baseUrl },
  });
  await rpc.send('{"type":"prompt","message":"How many?"}\n');
  while (!(await rpc.line(PATIENCE_MS))?.includes('"agent_end"'));
  return await atRest(rpc);
}

async function atRest({ pid }: Program): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  return await residentMiB(pid);
}
