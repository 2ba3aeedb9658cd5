import assert from "node:assert/strict";
import { Session } from "../../../src/agent/session.ts";
import { openModel } from "../../../src/llm/registry.ts";
import { Conversation } from "../../../src/modes/rpc/conversation.ts";
import { Shelf } from "../../../src/store/shelf.ts";
import type { Event } from "../../../src/wire/frame.ts";
import { startModelServer } from "../../support/model_server.ts";
import { toolboxOf } from "../../support/toolbox.ts";

Deno.test("a run of which an event cannot be told ends once, and the next one works", async () => {
  await using server = startModelServer(() => ({ stream: "openai/text.sse" }));
  const nowhere = () => Promise.reject(new Error("not needed"));
  const model = openModel("ollama:m", { OLLAMA_HOST: server.baseUrl });
  const session = new Session({ model, toolbox: toolboxOf({}), system: "", thinking: "off", log: () => {} });
  const told: Event[] = [];
  const logged: string[] = [];
  let isBroken = true;
  const conversation = new Conversation({
    session,
    setting: {
      databases: {
        list: [],
        selectors: null,
        needs: [],
        loadLibraries: () => Promise.resolve([]),
        get: nowhere,
        close: () => Promise.resolve(),
      },
      dangerous: false,
      csvToolResults: false,
      keepThread: false,
    },
    thread: { id: null, reset: () => {} },
    openModel: nowhere,
    shelf: new Shelf({ open: nowhere, writeParquet: nowhere }),
    log: (message) => void logged.push(message),
    emit: (event) => {
      if (isBroken && event.method === "message_end") return Promise.reject(new RangeError("too long"));
      told.push(event);
      if (isBroken && event.method === "message_start") conversation.steer("Faster.").told();
      return Promise.resolve();
    },
  });
  const ask = async () => {
    told.length = 0;
    conversation.accept("How many?", 1)();
    await conversation.begun;
    while (session.running) await new Promise((go) => setTimeout(go, 5));
    await conversation.settled;
    return told.map(({ method, data }) => data.status === undefined ? method : `${method} ${data.status}`);
  };
  assert.deepEqual((await ask()).slice(-2), ["queue_update", "agent_end error"]);
  assert.deepEqual(told.at(-1)?.data, {
    status: "error",
    error: "Internal error: an unexpected failure; the log has the details.",
  });
  assert.deepEqual([logged[0], session.pendingSteers, session.messageCount], [
    "telling of a run failed",
    [],
    0,
  ]);
  isBroken = false;
  const second = await ask();
  assert.deepEqual([second[0], second.at(-1)], ["agent_start", "agent_end completed"]);
  assert.equal(second.filter((name) => name.startsWith("agent_end")).length, 1);
});
