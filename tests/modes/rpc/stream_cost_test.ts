/** What an answer of 200 KiB costs on standard output: linear in its length, however small the model's pieces are. */
import assert from "node:assert/strict";
import { longAnswer } from "../../support/long_answer.ts";
import { startModelServer } from "../../support/model_server.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { Program } from "../../support/program.ts";
import { shop } from "../../support/shop.ts";

const SIZE = 200 << 10;
const MAX_OUTPUT = 1 << 20;

for (const [how, length, pace] of [["at once", 8, undefined], ["within ten seconds", 200, 9]] as const) {
  Deno.test(`an answer of 200 KiB that comes ${how} costs less than 1 MiB`, async () => {
    const stream = { text: longAnswer(SIZE / length, "x".repeat(length)) };
    const play = pace === undefined ? { pieces: { every: 1 << 14 } } : { paceMs: pace / 2 }; // two lines each
    await using server = startModelServer([{ stream, ...play }]);
    await using program = new Program({
      args: ["rpc", "-d", await shop("sqlite"), "--no-thread", "--model", "openai:m"],
      env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
    });
    await program.send('{"type":"prompt","message":"Much?"}\n');
    let output = 0;
    let told = 0;
    for (let isOver = false; !isOver;) {
      const line = await program.line(PATIENCE_MS) ?? assert.fail(await program.errors());
      output += new TextEncoder().encode(line).length + 1;
      const frame: { type: string; assistantMessageEvent?: { type: string; delta: string } } = JSON.parse(
        line,
      );
      const event = frame.assistantMessageEvent;
      if (event?.type === "text_delta") told += event.delta.length;
      isOver = frame.type === "agent_end";
    }
    assert.equal(told, SIZE);
    assert.ok(output < MAX_OUTPUT, `${output} bytes`);
  });
}
