/**
 * What becomes of a run when the model's server fails, with each adapter: the right sentence, exactly one end, nothing of the turn
 * kept, and the next prompt works.
 */
import assert from "node:assert/strict";
import { Session } from "../../src/agent/session.ts";
import { anthropicModel } from "../../src/llm/anthropic/model.ts";
import { chatModel } from "../../src/llm/chat/model.ts";
import type { Model, ModelOptions } from "../../src/llm/provider.ts";
import { responsesModel } from "../../src/llm/responses/model.ts";
import { retrying } from "../../src/llm/retrying.ts";
import { type Play, startModelServer } from "../support/model_server.ts";
import { endOf, errorOf, readRun } from "../support/run_events.ts";
import { startTlsServer } from "../support/tls_server.ts";

interface Adapter {
  readonly make: (options: ModelOptions) => Model;
  /** The folder of its recorded streams, and how many bytes of `text` have some text in them. */
  readonly streams: string;
  readonly textBegins: number;
}

const ADAPTERS: { readonly [name: string]: Adapter } = {
  chat: { make: chatModel, streams: "openai", textBegins: 900 },
  responses: { make: responsesModel, streams: "responses", textBegins: 1500 },
  anthropic: { make: anthropicModel, streams: "anthropic", textBegins: 900 },
};

/** With a play that is repeated, the run has asked four times. */
interface Failure {
  readonly play: Play;
  readonly says: RegExp;
  readonly requests: 1 | 4;
}

function failures({ streams, textBegins }: Adapter): { readonly [name: string]: Failure } {
  const stream = `${streams}/text.sse`;
  const json = { error: { message: "Sorry" } };
  const reply = (status: number, headers = {}): Play => ({ status, body: JSON.stringify(json), headers });
  return {
    "an overloaded server": { play: reply(529), says: /is overloaded \(HTTP 529\)\. .*Sorry/s, requests: 4 },
    "a limit of requests": {
      play: reply(429),
      says: /limits the rate of requests \(HTTP 429\)/,
      requests: 4,
    },
    "a limit with a long wait": {
      play: reply(429, { "retry-after": "900" }),
      says: /\(HTTP 429\)\. Wait 900 s and ask again\./,
      requests: 1,
    },
    "a failure of the server": { play: reply(500), says: /reported a failure \(HTTP 500\)/, requests: 4 },
    "a refused request": { play: reply(400), says: /refused the request \(HTTP 400\)/, requests: 1 },
    "silence": {
      play: { stream, stallAt: textBegins },
      says: /sent nothing for 0\.4 s/,
      requests: 1,
    },
    "a reset in mid-stream": {
      play: { stream, resetAt: textBegins },
      says: /broke off the connection in mid-answer/,
      requests: 1,
    },
    "an error in mid-stream": {
      play: { stream: `${streams}/error_midstream.sse` },
      says: /reported a failure|is overloaded/,
      requests: 1,
    },
    "a page of HTML": {
      play: { status: 200, body: "<!doctype html><p>Sign in", headers: { "content-type": "text/html" } },
      says: /sent something that is not an? [\w ]+ answer\. Check the base URL/,
      requests: 1,
    },
    "JSON that is none": {
      play: { stream: { text: 'event: message_start\ndata: {"type":\n\n' } },
      says: /sent something that is not an? [\w ]+ answer/,
      requests: 1,
    },
  };
}

function sessionOf({ make }: Adapter, baseUrl: string): Session {
  const options = { id: "acme:m", apiKey: "key", thinking: {}, silenceMs: 400, baseUrl };
  return new Session({
    model: retrying(make(options), [1, 1, 1]),
    toolbox: { specs: () => [], call: () => Promise.reject(new Error("no tool is called here")) },
    system: "You answer briefly.",
    thinking: "off",
    log: () => {},
  });
}

for (const [name, adapter] of Object.entries(ADAPTERS)) {
  for (const [what, { play, says, requests }] of Object.entries(failures(adapter))) {
    Deno.test(`a run that fails ends once, and the next one works: ${name}, ${what}`, async () => {
      await using server = startModelServer((n) =>
        n < requests ? play : { stream: `${adapter.streams}/text.sse` }
      );
      const session = sessionOf(adapter, server.baseUrl);
      const error = errorOf(await readRun(session.prompt("How many?")));
      assert.match(error, /^Cannot get an answer from acme:m: 127\.0\.0\.1:\d+ /);
      assert.match(error, says);
      assert.equal(server.asked.length, requests);
      assert.equal(session.messageCount, 0);
      assert.equal(endOf(await readRun(session.prompt("And now?"))).status, "completed");
      assert.equal(session.messageCount, 2);
    });
  }

  Deno.test(`a run that fails ends once: ${name}, a certificate that nobody vouches for`, async () => {
    await using server = startTlsServer();
    const error = errorOf(await readRun(sessionOf(adapter, server.baseUrl).prompt("How many?")));
    assert.match(error, /does not offer a valid TLS connection/);
  });
}
