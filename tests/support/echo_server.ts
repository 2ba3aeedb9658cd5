/**
 * A program of one connection over its own stdin and stdout, for tests of real pipes. It prints how the connection
 * ended on stderr.
 */
import * as z from "zod/mini";
import { command } from "../../src/wire/dispatch.ts";
import { jsonl } from "../../src/wire/jsonl.ts";
import { Connection } from "../../src/wire/serve.ts";
import { LineWriter } from "../../src/wire/writer.ts";

const commands = {
  echo: command({ params: z.object({ text: z.string() }), run: ({ text }) => text }),
  wait: command({
    params: z.object({ ms: z.number() }),
    run: async ({ ms }) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return ms;
    },
  }),
  hang: command({
    params: z.unknown(),
    lane: "concurrent",
    run: (_, { signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  }),
};

const connection = new Connection({
  input: Deno.stdin.readable,
  writer: new LineWriter(Deno.stdout),
  codec: jsonl,
  commands,
  log: () => {},
  lines: { maxBytes: 1 << 20, lastLine: "deliver" },
  lineErrors: { oversize: "too long", invalid: "not UTF-8" },
});
const ending = await connection.run();
await Deno.stderr.write(new TextEncoder().encode(ending));
Deno.exit(0);
