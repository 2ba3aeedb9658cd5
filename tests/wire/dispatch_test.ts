/**
 * The dispatcher alone: tables, schemas, outcomes.
 */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { Fault } from "../../src/base/fault.ts";
import { command, type CommandContext, Dispatcher } from "../../src/wire/dispatch.ts";

const context: CommandContext = { id: 1, signal: new AbortController().signal, afterReply: () => {} };

const logged: unknown[] = [];

const dispatcher = new Dispatcher({
  double: command({
    params: z.object({ n: z.number("n must be a number") }),
    run: ({ n }) => 2 * n,
  }),
  abort: command({ params: z.object({}), lane: "urgent", run: () => undefined }),
  query: command({ params: z.object({}), lane: "concurrent", run: () => undefined }),
  refuse: command({
    params: z.unknown(),
    run: () => {
      throw new Fault("bad_state", "Not now");
    },
  }),
  crash: command({ params: z.unknown(), run: () => Promise.reject(new TypeError("secret://dsn")) }),
}, (message, { error }) => logged.push([message, String(error)]));

const run = (method: string, params: unknown = {}) =>
  dispatcher.run({ kind: "request", id: 1, method, params }, context);

/** The code and text of an outcome that must be a fault. */
async function fault(outcome: ReturnType<typeof run>): Promise<string> {
  const settled = await outcome;
  return "fault" in settled ? `${settled.fault.code}: ${settled.fault.message}` : assert.fail("no fault");
}

Deno.test("parameters are checked by the command's schema before it runs", async () => {
  assert.deepEqual(await run("double", { n: 21, ignored: true }), { data: 42 });
  assert.equal(await fault(run("double", { n: "21" })), "bad_request: n must be a number");
  assert.equal(await fault(run("double", {})), "bad_request: n must be a number");
  assert.match(await fault(run("double", null)), /^bad_request: ./);
});

Deno.test("an unknown command is a fault that names it, also under a name every object has", async () => {
  assert.equal(await fault(run("triple")), "unknown_command: Unknown command: triple");
  assert.equal(await fault(run("constructor")), "unknown_command: Unknown command: constructor");
  assert.equal(dispatcher.lane("__proto__"), "ordered");
});

Deno.test("a command's fault is its outcome; any other failure keeps its text to itself", async () => {
  assert.equal(await fault(run("refuse")), "bad_state: Not now");
  const text = await fault(run("crash"));
  assert.match(text, /^internal: Internal error: /);
  assert.doesNotMatch(text, /secret/);
  assert.deepEqual(logged, [["The command crash failed", "TypeError: secret://dsn"]]);
});

Deno.test("a command is ordered unless it says otherwise", () => {
  assert.deepEqual(["double", "abort", "query", "triple"].map((name) => dispatcher.lane(name)), [
    "ordered",
    "urgent",
    "concurrent",
    "ordered",
  ]);
});
