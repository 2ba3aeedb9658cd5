/**
 * A tool that only this mode has, made of a schema and a function.
 */
import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import type { ToolOutput } from "../../tools/tool.ts";

type Call = { readonly signal: AbortSignal; readonly callId: string };

export interface OwnTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: { readonly [key: string]: unknown };
  /** The model has it only where the user has named it. */
  readonly isNamedOnly?: boolean;
  /** Throws nothing but Faults. */
  run(args: unknown, call: Call): Promise<ToolOutput>;
}

export function ownTool<Schema extends z.ZodMiniObject>(tool: {
  readonly name: string;
  readonly description: string;
  readonly arguments: Schema;
  readonly isNamedOnly?: boolean;
  run(args: z.infer<Schema>, call: Call): Promise<ToolOutput> | ToolOutput;
}): OwnTool {
  const { $schema: _, ...parameters } = z.toJSONSchema(tool.arguments, { io: "input" });
  return {
    name: tool.name,
    description: tool.description,
    isNamedOnly: tool.isNamedOnly ?? false,
    parameters,
    run: async (args, call) => {
      const parsed = tool.arguments.safeParse(args);
      if (parsed.success) return await tool.run(parsed.data, call);
      const issue = parsed.error.issues[0];
      const place = issue?.path.join(".") || "the arguments";
      throw new Fault(
        "bad_request",
        `Cannot call ${tool.name}: ${place} are not what it takes. ${issue?.message}`,
      );
    },
  };
}
