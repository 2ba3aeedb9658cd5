/**
 * The prompts of the conformance suite's example server, and its completions.
 */
import {
  type GetPromptResult,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from "@modelcontextprotocol/server";
import { PNG } from "./content.ts";
import { ASKING_PROMPT } from "./input_required.ts";

type Content = GetPromptResult["messages"][number]["content"];

const says = (...contents: Content[]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: "user", content })),
});
const text = (text: string): Content => ({ type: "text", text });

interface Prompt {
  readonly arguments: readonly string[];
  get(args: Record<string, string>): GetPromptResult;
}

const PROMPTS: { readonly [name: string]: Prompt } = {
  test_simple_prompt: { arguments: [], get: () => says(text("This is a simple prompt for testing.")) },
  test_prompt_with_arguments: {
    arguments: ["arg1", "arg2"],
    get: ({ arg1, arg2 }) => says(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  test_prompt_with_embedded_resource: {
    arguments: ["resourceUri"],
    get: ({ resourceUri = "" }) =>
      says({
        type: "resource",
        resource: {
          uri: resourceUri,
          mimeType: "text/plain",
          text: "Embedded resource content for testing.",
        },
      }, text("Please process the embedded resource above.")),
  },
  test_prompt_with_image: {
    arguments: [],
    get: () =>
      says({ type: "image", data: PNG, mimeType: "image/png" }, text("Please analyze the image above.")),
  },
};
const ASKING = "test_input_required_result_prompt";

export function addPrompts(server: Server): void {
  server.setRequestHandler("prompts/list", () => ({
    prompts: [...Object.keys(PROMPTS), ASKING].map((name) => ({
      name,
      description: "A prompt of the conformance suite",
      arguments: PROMPTS[name]?.arguments.map((name) => ({ name, description: name, required: true })) ?? [],
    })),
  }));
  server.setRequestHandler("prompts/get", async ({ params }, context) => {
    if (params.name === ASKING) {
      const result = await ASKING_PROMPT(context);
      return isInputRequiredResult(result) ? result : says(text("with the context"));
    }
    const prompt = PROMPTS[params.name];
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown prompt");
    return prompt.get(params.arguments ?? {});
  });
  server.setRequestHandler("completion/complete", ({ params: { argument } }) => {
    const values = ["paris", "park", "party"].filter((value) => value.startsWith(argument.value));
    return { completion: { values, total: values.length, hasMore: false } };
  });
}
