/** Hosts that mean no good, or are broken: everything is answered once, runs end once, and the program ends when told to. */
import assert from "node:assert/strict";
import { type Play, startModelServer } from "../../support/model_server.ts";
import { RpcHost } from "../../support/rpc_host.ts";
import { shop } from "../../support/shop.ts";

const STALLED: Play = { stream: "openai/text.sse", stallAt: 900 };

async function withHost(play: Play, test: (host: RpcHost) => Promise<void>): Promise<void> {
  await using server = startModelServer(() => play);
  await using host = new RpcHost({
    args: ["-d", await shop("sqlite"), "--no-thread", "--model", "openai:m"],
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
  });
  await host.until((line) => line.type === "ready");
  await test(host);
  await host.send({ type: "shutdown", id: "bye" });
  assert.equal(await host.end(), 0);
  assert.partialDeepStrictEqual(host.lines.at(-1), { command: "shutdown", success: true, id: "bye" });
  assert.equal(await host.program.errors(), "");
}

/** Sends the lines as one piece and reads until each has its answer. */
async function flood(host: RpcHost, lines: readonly object[]): Promise<void> {
  await host.program.send(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  for (let answered = 0; answered < lines.length; answered++) {
    await host.until((line) => line.type === "response");
  }
}

Deno.test("three thousand steers in one piece: a hundred are taken, the others are refused, each is answered", async () => {
  await withHost(STALLED, async (host) => {
    await host.send({ type: "prompt", message: "How many?" });
    await host.until((line) => line.type === "message_start");
    const before = host.lines.length;
    await flood(host, Array.from({ length: 3000 }, (_, id) => ({ type: "steer", message: `no ${id}`, id })));
    const answers = host.lines.slice(before).flatMap((line) => line.type === "response" ? line : []);
    assert.equal(new Set(answers.map(({ id }) => id)).size, 3000);
    assert.equal(answers.filter(({ success }) => success).length, 100);
    for (const answer of answers) {
      if (!answer.success) assert.match(answer.error, /messages wait already|too many commands wait/);
    }
  });
});

Deno.test("prompts and fifty aborts each, all with the same id: one end for each prompt", async () => {
  await withHost(STALLED, async (host) => {
    for (let round = 0; round < 4; round++) {
      const aborts = Array.from({ length: 50 }, () => ({ type: "abort", id: 1 }));
      await flood(host, [{ type: "prompt", message: "How many?", id: 1 }, ...aborts, {
        type: "get_state",
        id: 1,
      }]);
    }
    const ends = host.lines.flatMap((line) => line.type === "agent_end" ? line.status : []);
    assert.deepEqual(ends, Array(4).fill("aborted"));
    await host.send({ type: "get_state" });
    assert.partialDeepStrictEqual(await host.answerTo("get_state"), {
      data: { state: "idle", messageCount: 0 },
    });
  });
});

Deno.test("steers that are taken back while they come: the run goes on and ends once", async () => {
  await withHost({ stream: "openai/text.sse", paceMs: 5 }, async (host) => {
    const storm = Array.from(
      { length: 90 },
      (_, n) => ({ type: n % 3 === 2 ? "clear_queue" : "steer", message: `no ${n}` }),
    );
    await flood(host, [{ type: "prompt", message: "How many?" }, ...storm]);
    const end = await host.until((line) => line.type === "agent_end");
    assert.ok(end.type === "agent_end" && end.status === "completed");
    const asked = end.messages.flatMap((message) => message.role === "user" ? message.content : []);
    assert.equal(new Set(asked).size, asked.length, "a steer was told twice");
  });
});

Deno.test("a prompt of a megabyte is a prompt", async () => {
  await withHost({ stream: "openai/text.sse" }, async (host) => {
    const message = "ü".repeat(500_000);
    await host.send({ type: "prompt", message });
    const end = await host.until((line) => line.type === "agent_end");
    assert.ok(end.type === "agent_end" && end.status === "completed");
    assert.partialDeepStrictEqual(end.messages[0], { role: "user", content: message });
  });
});

Deno.test("names of the protocol and of objects are no commands, and tricks in ids find nothing", async () => {
  await withHost(STALLED, async (host) => {
    const types = [
      "__proto__",
      "toString",
      "hasOwnProperty",
      "ready",
      "response",
      "parse",
      "startup",
      "agent_end",
    ];
    const ids = ["../../saber.db", "\u0000", "a".repeat(900_000), "qr_", ".", "/", "C:\\", "%2e%2e"];
    await flood(host, [
      ...types.map((type) => ({ type })),
      ...ids.map((resultId) => ({ type: "get_query_result", resultId })),
      ...ids.map((artifactId) => ({ type: "get_artifact", artifactId })),
      { type: "get_query_result", resultId: "qr_1", offset: 1e308 },
    ]);
    const errors = host.lines.flatMap((line) => line.type === "response" && !line.success ? line.error : []);
    assert.equal(errors.length, types.length + 2 * ids.length + 1);
    assert.deepEqual(errors.slice(0, types.length), types.map((type) => `Unknown command: ${type}`));
    for (const error of errors.slice(types.length, -1)) {
      assert.match(error, /is unavailable\.$/);
      assert.ok(error.length < 500, "an error repeats a long id");
    }
    assert.equal(errors.at(-1), "offset must be a non-negative integer");
  });
});

Deno.test("commands that are nested deeper than a stack are commands", async () => {
  await withHost({ stream: "openai/text.sse" }, async (host) => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    await host.program.send(`{"type":"get_state","id":12345678901234567890,"x":${deep}}\n`);
    const answer = await host.answerTo("get_state");
    assert.match(host.texts.get(answer) ?? "", /"id":12345678901234567890}$/);
    await host.program.send(`{"type":"prompt","message":"How many?","x":${deep}}\n`);
    assert.partialDeepStrictEqual(await host.until((line) => line.type === "agent_end"), {
      status: "completed",
    });
  });
});
