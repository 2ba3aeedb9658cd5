/**
 * The tools of the conformance suite's example server that only answer, or that tell something while they run.
 */
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";

export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

export type Run = (args: Record<string, unknown>, context: ServerContext) => Promise<CallToolResult>;

const text = (text: string) => ({ type: "text", text }) as const;
const image = { type: "image", data: PNG, mimeType: "image/png" } as const;
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
const answers = (...content: CallToolResult["content"]) => () => Promise.resolve({ content });

export const CONTENT_TOOLS: { readonly [name: string]: Run } = {
  test_simple_text: answers(text("This is a simple text response for testing.")),
  test_image_content: answers(image),
  test_audio_content: answers({ type: "audio", data: WAV, mimeType: "audio/wav" }),
  test_embedded_resource: answers({
    type: "resource",
    resource: {
      uri: "test://embedded-resource",
      mimeType: "text/plain",
      text: "This is an embedded resource content.",
    },
  }),
  test_multiple_content_types: answers(text("Multiple content types test:"), image, {
    type: "resource",
    resource: {
      uri: "test://mixed-content-resource",
      mimeType: "application/json",
      text: JSON.stringify({ test: "data", value: 123 }),
    },
  }),
  test_error_handling: async () => ({
    ...await answers(text("This tool intentionally returns an error for testing"))(),
    isError: true,
  }),
  test_tool_with_logging: async (_args, { mcpReq }) => {
    await mcpReq.log("info", "Tool execution started");
    await pause();
    await mcpReq.log("info", "Tool processing data");
    await pause();
    await mcpReq.log("info", "Tool execution completed");
    return { content: [text("logged")] };
  },
  test_logging_tool: async (_args, { mcpReq }) => {
    await mcpReq.log("info", "only for who asked");
    return { content: [text("logged, if asked to")] };
  },
  test_tool_with_progress: async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: 100 },
        });
      }
      await pause();
    }
    return { content: [text("done")] };
  },
};
