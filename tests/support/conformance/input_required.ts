/**
 * The tools of the conformance suite's example server that need input, in the way of the revision 2026-07-28: a
 * result that asks, and a new call with what was answered.
 */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod/mini";

export type MayAsk = (context: ServerContext) => Promise<CallToolResult | InputRequiredResult>;

/** Seals what a server hands to its client to keep. */
export const stateCodec = createRequestStateCodec<{ round: number }>({
  key: crypto.getRandomValues(new Uint8Array(32)),
});

const form = (message: string, field: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties: { [field]: { type: "string" } }, required: [field] },
  });
const confirmation = inputRequired.elicit({
  message: "Please confirm",
  requestedSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
});
const sample = (text: string) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text } }],
    maxTokens: 100,
  });

/** Asks until everything that is asked has an answer. */
function asking(inputRequests: InputRequests, { round }: { round?: number } = {}): MayAsk {
  return async (context) => {
    const { inputResponses = {} } = context.mcpReq;
    if (Object.keys(inputRequests).every((key) => Object.hasOwn(inputResponses, key))) {
      return complete(`${round === undefined ? "" : "state-ok "}${JSON.stringify(inputResponses)}`);
    }
    const state = round === undefined ? {} : { requestState: await stateCodec.mint({ round }, context) };
    return inputRequired({ inputRequests, ...state });
  };
}

function complete(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

const name = form("What is your name?", "name");

export const INPUT_TOOLS: { readonly [name: string]: MayAsk } = {
  test_input_required_result_elicitation: asking({ user_name: name }),
  test_input_required_result_sampling: asking({ capital_question: sample("What is the capital of France?") }),
  test_input_required_result_list_roots: asking({ client_roots: inputRequired.listRoots() }),
  test_input_required_result_request_state: asking(
    { confirm: confirmation },
    { round: 1 },
  ),
  test_input_required_result_tampered_state: asking(
    { confirm: confirmation },
    { round: 1 },
  ),
  test_input_required_result_multiple_inputs: asking({
    user_name: name,
    greeting: sample("Generate a greeting"),
    client_roots: inputRequired.listRoots(),
  }, { round: 1 }),
  test_input_required_result_multi_round: async (context) => {
    const state = context.mcpReq.requestState<{ round: number }>();
    const inputRequests: InputRequests = state === undefined
      ? { step1: form("Step 1: What is your name?", "name") }
      : { step2: form("Step 2: What is your favorite color?", "color") };
    if (state?.round === 2) return complete("done");
    return inputRequired({
      inputRequests,
      requestState: await stateCodec.mint({ round: (state?.round ?? 0) + 1 }, context),
    });
  },
  test_input_required_result_capabilities: async (context) => {
    const { sampling, elicitation } = capabilities(context);
    const inputRequests: InputRequests = {
      ...(sampling ? { greeting: sample("Generate a greeting") } : {}),
      ...(elicitation ? { user_name: name } : {}),
    };
    return await asking(inputRequests)(context);
  },
  test_streaming_elicitation: asking({ user_name: name }),
  test_missing_capability: (context) => {
    if (capabilities(context).sampling) return Promise.resolve(complete("sampling is there"));
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
};

const capability = z.optional(z.looseObject({}));
const envelope = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({ sampling: capability, elicitation: capability }),
});

function capabilities({ mcpReq }: ServerContext): { sampling?: unknown; elicitation?: unknown } {
  return envelope.safeParse(mcpReq.envelope).data?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
}

export const ASKING_PROMPT = asking({ user_context: form("What context should the prompt use?", "context") });
