/** Images that the user shows, in the words of each API. */
import assert from "node:assert/strict";
import { anthropicModel } from "../../src/llm/anthropic/model.ts";
import { chatModel } from "../../src/llm/chat/model.ts";
import { responsesModel } from "../../src/llm/responses/model.ts";
import type { ModelOptions } from "../../src/llm/provider.ts";
import { ask } from "../support/asking.ts";
import { startModelServer } from "../support/model_server.ts";

const images = [{ data: "aGk=", mimeType: "image/png" }];
const messages = [{ role: "user", content: "What is this?", images, timestamp: 1 }] as const;

const APIS = [
  { make: chatModel, image: { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } } },
  {
    make: responsesModel,
    image: { type: "input_image", detail: "auto", image_url: "data:image/png;base64,aGk=" },
  },
  {
    make: anthropicModel,
    image: { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
  },
];

for (const { make, image } of APIS) {
  Deno.test(`${make.name} sends an image as the API wants it`, async () => {
    await using server = startModelServer([{ status: 500, body: "{}" }]);
    const options: ModelOptions = {
      id: "p:m",
      baseUrl: server.baseUrl,
      apiKey: "key",
      thinking: {},
      silenceMs: 10_000,
    };
    await assert.rejects(ask(await make(options), { messages }));
    assert.ok(JSON.stringify(server.asked[0]?.body).includes(JSON.stringify(image)));
  });
}
