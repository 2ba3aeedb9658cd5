/**
 * The tools of the conformance suite's example server that ask their client something, in the way of the revisions
 * up to 2025-11-25: a request of the server's within the answer to a call.
 */
import type { ElicitRequestFormParams, ElicitResult, ServerContext } from "@modelcontextprotocol/server";
import type { Run } from "./content.ts";

type Form = ElicitRequestFormParams["requestedSchema"];

const DEFAULTS: Form = {
  type: "object",
  properties: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
};

const titled = ["First", "Second", "Third"].map((title, index) => ({ const: `value${index + 1}`, title }));

const ENUMS: Form = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
    titledSingle: { type: "string", oneOf: titled },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
    titledMulti: { type: "array", items: { anyOf: titled } },
  },
};

const USER: Form = {
  type: "object",
  properties: {
    username: { type: "string", description: "User's response" },
    email: { type: "string", description: "User's email address" },
  },
  required: ["username", "email"],
};

/** In the stream that answers the call; there is no other. */
const within = ({ id }: ServerContext["mcpReq"]) => ({ relatedRequestId: id });
const said = (what: string, { action, content }: ElicitResult) => ({
  content: [{ type: "text" as const, text: `${what}: action=${action}, content=${JSON.stringify(content)}` }],
});

export const ASKING_TOOLS: { readonly [name: string]: Run } = {
  test_sampling: async ({ prompt }, { mcpReq }) => {
    const { content } = await mcpReq.requestSampling({
      messages: [{ role: "user", content: { type: "text", text: String(prompt) } }],
      maxTokens: 100,
    }, within(mcpReq));
    return { content: [{ type: "text", text: `LLM response: ${JSON.stringify(content)}` }] };
  },
  test_elicitation: async ({ message }, { mcpReq }) =>
    said(
      "User response",
      await mcpReq.elicitInput({ message: String(message), requestedSchema: USER }, within(mcpReq)),
    ),
  test_elicitation_sep1034_defaults: async (_args, { mcpReq }) =>
    said(
      "Elicitation completed",
      await mcpReq.elicitInput({ message: "Defaults?", requestedSchema: DEFAULTS }, within(mcpReq)),
    ),
  test_elicitation_sep1330_enums: async (_args, { mcpReq }) =>
    said(
      "Elicitation completed",
      await mcpReq.elicitInput({ message: "Which?", requestedSchema: ENUMS }, within(mcpReq)),
    ),
};
