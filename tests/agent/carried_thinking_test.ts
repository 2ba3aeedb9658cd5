/**
 * What a model thought before it called a tool goes back to it with the tool's result, through the loop and through the store of
 * threads.
 */
import assert from "node:assert/strict";
import { Session } from "../../src/agent/session.ts";
import { openModel } from "../../src/llm/registry.ts";
import { readMessages, writeMessages } from "../../src/store/transcript.ts";
import { startModelServer } from "../support/model_server.ts";
import { endOf, readRun } from "../support/run_events.ts";

const TOOLBOX = {
  specs:
    () => [{ name: "list_tables", description: "Lists.", parameters: { type: "object", properties: {} } }],
  call: () => Promise.resolve({ json: '{"tables":[]}' }),
};

const CASES = {
  anthropic: {
    carries: /"signature":"EqoBCkgIxyz=="/,
    redacted: /"redacted_thinking","data":"EmwKAhgBEgy3va3pzix"/,
  },
  responses: { carries: /"encrypted_content":"gAAAAABEnc2"/, redacted: /"type":"reasoning"/ },
} as const;

for (const [adapter, { carries, redacted }] of Object.entries(CASES)) {
  Deno.test(`thoughts go back with the results of their calls, also in a resumed thread: ${adapter}`, async () => {
    await using server = startModelServer([
      { stream: `${adapter}/thinking_call.sse` },
      { stream: `${adapter}/text.sse` },
      { stream: `${adapter}/text.sse` },
    ]);
    const acme = {
      baseUrl: server.baseUrl,
      adapter: adapter === "anthropic" ? "anthropic" : "responses",
    } as const;
    const options = {
      model: openModel("acme:m", {}, { providers: { acme } }),
      toolbox: TOOLBOX,
      system: "You answer briefly.",
      thinking: "high",
      log: () => {},
    } as const;
    const session = new Session(options);
    assert.equal(endOf(await readRun(session.prompt("How many?"))).status, "completed");
    const resumed = new Session({ ...options, history: readMessages(writeMessages(session.messages)) });
    assert.equal(endOf(await readRun(resumed.prompt("And now?"))).status, "completed");
    const [first, ...later] = server.asked.map(({ body }) => JSON.stringify(body));
    assert.doesNotMatch(first ?? "", carries);
    assert.equal(later.length, 2);
    for (const body of later) {
      assert.match(body, carries);
      assert.match(body, redacted);
    }
  });
}
