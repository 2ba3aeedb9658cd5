/**
 * Connections in one process: order, lanes, limits, endings. The same over real pipes is in process_test.ts.
 */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import type { Json } from "../../src/base/json.ts";
import { command, type CommandContext, type Lane } from "../../src/wire/dispatch.ts";
import { jsonrpc } from "../../src/wire/jsonrpc.ts";
import { mutate, random } from "../support/mutate.ts";
import { SOON_MS } from "../support/patience.ts";
import { WirePeer } from "../support/wire_peer.ts";

type Run = (context: CommandContext) => Promise<Json | undefined> | Json | undefined;

/** A peer of a connection with these commands, none of which has parameters. */
function serve(commands: { readonly [name: string]: Run | [Lane, Run] }, codec = jsonrpc): WirePeer {
  const table = Object.entries(commands).map(([name, entry]) => {
    const [lane, run] = typeof entry === "function" ? ["ordered" as const, entry] : entry;
    return [name, command({ lane, params: z.unknown(), run: (_, context) => run(context) })] as const;
  });
  return new WirePeer(() => Object.fromEntries(table), codec);
}

const line = (id: number | string, method: string) => `${JSON.stringify({ jsonrpc: "2.0", id, method })}\n`;

/** "id: result" or "id! error" of each reply. */
function replies(peer: WirePeer): string[] {
  return peer.lines.map((text) => {
    const { id, result, error, method } = JSON.parse(text);
    return method ? `event ${method}` : error ? `${id}! ${error.message}` : `${id}: ${result}`;
  });
}

/** Settles with the abort, as a command that waits for a database does. */
function untilAborted({ signal }: CommandContext): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

Deno.test("each command is answered once, in the order of the lines, however long each takes", async () => {
  let begun = 0;
  const peer = serve({
    slow: async () => {
      const turn = ++begun;
      await sleep(3);
      assert.equal(turn, begun, "two ordered commands ran at once");
      return turn;
    },
    quick: () => ++begun,
  });
  await peer.send(
    line(1, "slow") + line(2, "quick") + "nonsense\n" + line(3, "slow") + line(4, "absent") +
      line(5, "quick"),
  );
  await peer.end();
  assert.equal(await peer.ending, "end");
  assert.deepEqual(replies(peer), [
    "1: 1",
    "2: 2",
    "null! Parse error: the line is not JSON",
    "3: 3",
    "4! Method not found: absent",
    "5: 4",
  ]);
});

Deno.test("lines too long and lines that are not UTF-8 are answered in their place", async () => {
  const peer = serve({ quick: () => 0 });
  await peer.send(line(1, "quick") + "x".repeat((1 << 20) + 1));
  await peer.send("y".repeat(10) + "\n" + line(2, "quick"));
  await peer.send(Uint8Array.of(0xff, 0x0a));
  await peer.send(line(3, "quick").trimEnd());
  await peer.end();
  await peer.ending;
  assert.deepEqual(replies(peer), [
    "1: 0",
    "null! Input line exceeds 1 MiB",
    "2: 0",
    "null! Command is not valid UTF-8",
    "3: 0",
  ]);
});

Deno.test("a command that throws is answered and the next one runs", async () => {
  const peer = serve({
    crash: () => {
      throw new TypeError("secret");
    },
    deep: () => {
      let deep: Json = [];
      for (let i = 0; i < 100_000; i++) deep = [deep];
      return deep;
    },
    quick: () => 0,
  });
  await peer.send(line(1, "crash") + line(2, "deep") + line(3, "quick"));
  await peer.end();
  await peer.ending;
  const [crash, deep, quick] = replies(peer);
  assert.match(crash ?? "", /^1! Internal error: (?!.*secret)/);
  assert.match(deep ?? "", /^2! Internal error: /);
  assert.equal(quick, "3: 0");
  assert.deepEqual(peer.log, ["The command crash failed", "The answer to deep could not be written"]);
});

Deno.test("a notification is run and never answered", async () => {
  const seen: unknown[] = [];
  const peer = serve({ note: ({ id }) => void seen.push(id), quick: () => 0 });
  await peer.send('{"method":"note"}\n{"method":"absent"}\n' + line(1, "quick"));
  await peer.end();
  await peer.ending;
  assert.deepEqual(replies(peer), ["1: 0"]);
  assert.deepEqual(seen, [undefined]);
});

Deno.test("what a command asks to do after its reply happens after it", async () => {
  const peer: WirePeer = serve({
    prompt: ({ afterReply }) => {
      afterReply(() => void peer.connection.emit({ kind: "event", method: "start", data: {} }));
      afterReply(() => void peer.connection.emit({ kind: "event", method: "end", data: {} }));
      return "accepted";
    },
  });
  await peer.send(line(1, "prompt") + line(2, "prompt"));
  await peer.end();
  await peer.ending;
  assert.deepEqual(replies(peer), [
    "1: accepted",
    "event start",
    "event end",
    "2: accepted",
    "event start",
    "event end",
  ]);
});

Deno.test("an urgent command begins in its turn and holds up nobody", async () => {
  const finish = Promise.withResolvers<string>();
  const peer = serve({ quick: () => 0, abort: ["urgent", () => finish.promise] });
  await peer.send(line(1, "quick") + line(2, "abort") + line(3, "quick"));
  await peer.received(2);
  finish.resolve("done");
  await peer.end();
  await peer.ending;
  assert.deepEqual(replies(peer), ["1: 0", "3: 0", "2: done"]);
});

Deno.test("an urgent command waits a second at most for all the ordered ones before it", async () => {
  const peer = serve({ wait: untilAborted, abort: ["urgent", () => "done"] });
  const start = performance.now();
  await peer.send(line(1, "wait") + line(2, "wait") + line(3, "abort") + line(4, "wait"));
  await peer.received(3);
  const took = performance.now() - start;
  assert.ok(took > 900 && took < SOON_MS, `took ${took} ms`);
  const cancelled = "Cancelled: a command that cannot wait came after it.";
  assert.deepEqual(replies(peer), [`1! ${cancelled}`, `2! ${cancelled}`, "3: done"]);
  peer.connection.abortAll();
  await peer.end();
  await peer.ending;
  assert.equal(replies(peer)[3], "4! The connection is closing.");
});

Deno.test("concurrent commands begin at once, also while an ordered one runs", async () => {
  const finish = Promise.withResolvers<string>();
  const peer = serve({ wait: () => finish.promise, query: ["concurrent", () => "rows"] });
  await peer.send(line(1, "wait") + line(2, "wait") + line(3, "query") + line(4, "query"));
  await peer.received(2);
  finish.resolve("waited");
  await peer.end();
  await peer.ending;
  assert.deepEqual(replies(peer), ["3: rows", "4: rows", "1: waited", "2: waited"]);
});

Deno.test("cancel reaches every request with the id, running or waiting, and no other", async () => {
  const peer: WirePeer = serve({
    wait: untilAborted,
    query: ["concurrent", untilAborted],
    never: () => assert.fail("it ran although it was cancelled"),
    cancel: ["concurrent", () => [peer.connection.cancel("a"), peer.connection.cancel("z")].join()],
    quick: () => 0,
  });
  await peer.send(
    line(1, "wait") + line("a", "query") + line("b", "query") + line("a", "never") + line(2, "quick"),
  );
  await peer.send(line(3, "cancel"));
  await peer.received(2);
  assert.deepEqual(replies(peer), ["a! The request was cancelled.", "3: true,false"]);
  peer.connection.cancel(1);
  await peer.received(5);
  assert.deepEqual(replies(peer).slice(2), [
    "1! The request was cancelled.",
    "a! The request was cancelled.",
    "2: 0",
  ]);
  assert.equal(peer.connection.cancel("b"), true);
  await peer.end();
  await peer.ending;
  assert.equal(peer.connection.cancel("b"), false);
});

Deno.test("a full queue is answered, and what waits in it still gets its turn", async () => {
  const finish = Promise.withResolvers<string>();
  const peer = serve({ wait: () => finish.promise });
  await peer.send(Array.from({ length: 1100 }, (_, id) => line(id, "wait")).join("") + "{\n");
  await peer.received(101);
  const busy = replies(peer);
  assert.equal(busy[0], "1000! Cannot take wait: too many commands wait. Read their answers first.");
  assert.equal(busy[100], "null! Cannot take the request: too many commands wait. Read their answers first.");
  finish.resolve("done");
  await peer.received(1101);
  await peer.send(line("later", "wait"));
  await peer.end();
  await peer.ending;
  assert.deepEqual(replies(peer).slice(101), [
    ...Array.from({ length: 1000 }, (_, id) => `${id}: done`),
    "later: done",
  ]);
});

Deno.test("waiting commands are limited in size too", async () => {
  const finish = Promise.withResolvers<number>();
  const peer = serve({ wait: () => finish.promise });
  const large = (id: number) => JSON.stringify({ id, method: "wait", params: "x".repeat(1_000_000) }) + "\n";
  for (let id = 0; id < 20; id++) await peer.send(large(id));
  await peer.received(4);
  assert.deepEqual(
    replies(peer).map((text) => text.slice(0, 21)),
    [16, 17, 18, 19].map((id) => `${id}! Cannot take wait:`),
  );
  finish.resolve(1);
  await peer.end();
  await peer.ending;
  assert.equal(peer.lines.length, 20);
});

Deno.test("an event waits while the peer does not read, and commands are read all the same", async () => {
  const seen: string[] = [];
  const gate = Promise.withResolvers<void>();
  const peer = serve({ quick: ["concurrent", () => void seen.push("quick")] });
  peer.reading = gate.promise;
  const big = { text: "x".repeat(2 << 20) };
  const emitted = peer.connection.emit({ kind: "event", method: "big", data: big }).then(() =>
    seen.push("emitted")
  );
  for (let id = 0; id < 50; id++) await peer.send(line(id, "quick"));
  assert.deepEqual(seen, Array(50).fill("quick"));
  gate.resolve();
  await emitted;
  await peer.end();
  await peer.ending;
  assert.equal(peer.lines.length, 51);
});

Deno.test("a peer that only writes can't fill the memory", async () => {
  const gate = Promise.withResolvers<void>();
  const peer = serve({ quick: ["concurrent", () => "rows"] });
  peer.reading = gate.promise;
  const chunk = line(1, "quick").repeat(1000);
  let taken = 0;
  const sending = (async () => {
    for (; taken < 200; taken++) await peer.send(chunk);
  })();
  await sleep(200);
  assert.ok(taken < 60, `${taken} chunks of 1,000 commands were taken from a peer that reads nothing`);
  gate.resolve();
  await sending;
  await peer.end();
  await peer.ending;
  assert.equal(peer.lines.length, 200_000);
});

Deno.test("close stops reading and answers what was read", async () => {
  const peer: WirePeer = serve({
    shutdown: ({ afterReply }) => void afterReply(() => peer.connection.close()),
    wait: () => sleep(5).then(() => "done"),
  });
  await peer.send(line(1, "wait") + line(2, "shutdown") + line(3, "wait"));
  assert.equal(await peer.ending, "closed");
  assert.deepEqual(replies(peer), ["1: done", "2: null", "3: done"]);
});

Deno.test("the end of the input, also by an error, drains every command", async () => {
  for (const error of [undefined, new Error("EBADF")]) {
    const peer = serve({
      wait: () => sleep(5).then(() => "done"),
      query: ["concurrent", () => sleep(20).then(() => "rows")],
    });
    await peer.send(line(1, "query") + line(2, "wait") + line(3, "wait"));
    await peer.end(error);
    assert.equal(await peer.ending, "end");
    assert.deepEqual(replies(peer).sort(), ["1: rows", "2: done", "3: done"]);
  }
});

Deno.test("a broken pipe aborts all that runs or waits", async () => {
  let begun = 0;
  const peer: WirePeer = serve({
    quick: () => 0,
    query: ["concurrent", untilAborted],
    wait: (context) => {
      begun++;
      return untilAborted(context);
    },
  });
  await peer.send(line(1, "query") + line(2, "quick") + line(3, "wait") + line(4, "wait"));
  await peer.received(1);
  peer.reading = Promise.reject(new Deno.errors.BrokenPipe());
  await peer.connection.emit({ kind: "event", method: "any", data: {} });
  assert.equal(await peer.ending, "broken");
  assert.deepEqual([begun, peer.lines.length], [1, 1]);
});

Deno.test("100,000 mutated lines: each answer is one JSON object, and the connection still works", async () => {
  const valid = [
    '{"jsonrpc":"2.0","id":1,"method":"quick","params":{"a":["ü😀",1.5,null]}}',
    '{"jsonrpc":"2.0","id":"a-1","method":"query"}',
    '{"jsonrpc":"2.0","method":"note","params":[]}',
  ];
  const next = random(20);
  const peer = serve({ quick: () => 1, query: ["concurrent", () => "rows"], note: () => undefined });
  for (let sent = 0; sent < 100_000; sent += 500) {
    const lines = Array.from({ length: 500 }, () => [...mutate(valid, next), 0x0a]);
    await peer.send(Uint8Array.from(lines.flat()));
  }
  await peer.send("\n" + line("last", "quick"));
  await peer.end();
  assert.equal(await peer.ending, "end");
  assert.ok(peer.lines.length > 50_000, `${peer.lines.length} answers`);
  const answers = peer.lines.map((text) => JSON.parse(text));
  assert.ok(answers.every(({ jsonrpc, id }) => jsonrpc === "2.0" && id !== undefined));
  assert.equal(peer.lines.at(-1), '{"jsonrpc":"2.0","id":"last","result":1}');
});
