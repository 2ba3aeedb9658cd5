/**
 * What the agent needs of the tools; the tool service is one.
 */
import type { ToolSpec } from "../llm/provider.ts";
import type { ToolOutput } from "../tools/tool.ts";

export interface Toolbox {
  specs(): readonly ToolSpec[];
  /**
   * `args` is unchecked. Throws nothing but Faults; `bad_request` when there is no such tool or it does not take these
   * arguments, which the model may correct.
   */
  call(
    name: string,
    args: unknown,
    options: { readonly signal: AbortSignal; readonly callId: string },
  ): Promise<ToolOutput>;
}
