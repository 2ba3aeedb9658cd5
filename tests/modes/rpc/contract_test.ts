import assert from "node:assert/strict";
import { Command } from "../../../src/modes/rpc/contract/commands.ts";
import { contractSchema } from "../../../src/modes/rpc/contract/json_schema.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { Program } from "../../support/program.ts";
import { readContractLine } from "../../support/rpc_contract.ts";
import { schemaChecks } from "../../support/schema_check.ts";
import { shop } from "../../support/shop.ts";

const NAMES = Command.def.options.map((option) => option.shape.type.def.values[0] ?? "");

async function linesOf(program: Program): Promise<string[]> {
  const lines: string[] = [];
  for (let line; (line = await program.line(PATIENCE_MS)) !== undefined;) lines.push(line);
  return lines;
}

Deno.test("the program prints its contract, and needs no database for it", async () => {
  await using program = new Program({ args: ["rpc", "--schema"] });
  assert.equal(`${(await linesOf(program)).join("\n")}\n`, contractSchema());
  assert.equal((await program.exit).code, 0);
});

Deno.test("the program knows every command of the contract", async () => {
  const args = ["rpc", "-d", await shop("sqlite"), "--no-thread", "--model", "ollama:m"];
  await using program = new Program({ args });
  await program.send(NAMES.map((type) => `{"type":"${type}","id":"${type}"}\n`).join(""));
  const lines = (await linesOf(program)).map(readContractLine);
  assert.equal(lines[0]?.type, "ready");
  const answers = lines.flatMap((line) => line.type === "response" ? line : []);
  assert.deepEqual(answers.map(({ command }) => command), NAMES);
  for (const answer of answers) {
    assert.ok(answer.success || !answer.error.startsWith("Unknown command"), answer.command);
  }
});

const SAMPLES: readonly (readonly [fits: boolean, line: { readonly [key: string]: unknown }])[] = [
  [true, { type: "prompt", message: "hi", id: 1 }],
  [true, { type: "prompt", message: "hi", streamingBehavior: "steer", extra: "ignored" }],
  [false, { type: "prompt", message: " " }],
  [false, { type: "prompt", message: "hi", id: 1.5 }],
  [false, { type: "prompt", message: "hi", images: [] }],
  [true, { type: "get_query_result", resultId: "qr_1", offset: 0, limit: 5000 }],
  [false, { type: "get_query_result", resultId: "qr_1", limit: 5001 }],
  [false, { type: "set_thinking_level", level: "on" }],
];

Deno.test("the contract's commands are those that the program takes", () => {
  for (const [fits, line] of SAMPLES) {
    assert.equal(Command.safeParse(line).success, fits, JSON.stringify(line));
  }
});

Deno.test("a validator of others reads the printed schema as the program does", async () => {
  const { sent, told } = await schemaChecks();
  for (const [fits, line] of SAMPLES) assert.equal(sent(line) === undefined, fits, JSON.stringify(line));
  assert.equal(told({ type: "agent_end", status: "aborted" }), undefined);
  assert.match(told({ type: "agent_end", status: "completed" }) ?? "", /required property "text"/);
  assert.ok(told({ type: "response", command: "get_state", success: true, data: {} }));
  assert.ok(told({ type: "get_state" }), "a command is no line that a host is told");
});

Deno.test("a line outside of the contract is seen", () => {
  readContractLine('{"type":"response","command":"abort","success":true,"data":{"aborted":true},"id":"a"}');
  readContractLine('{"type":"response","command":"parse","success":false,"error":"no"}');
  readContractLine('{"type":"agent_end","status":"aborted"}');
  for (
    const line of [
      '{"type":"response","command":"get_state","success":true,"data":{}}',
      '{"type":"response","command":"get_state","success":false}',
      '{"type":"agent_end","status":"completed"}',
      '{"type":"queue_updates","steering":[]}',
      '{"type":"message_start","id":1}',
      '{"type":"message_update","assistantMessageEvent":{"type":"text_start","contentIndex":0,"more":1}}',
    ]
  ) assert.throws(() => readContractLine(line), line);
});
