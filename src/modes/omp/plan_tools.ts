/**
 * The tools with which the model keeps its plan and asks the person at the host.
 */
import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import { toJson } from "../../base/json.ts";
import type { Dialogs } from "./dialogs.ts";
import { type OwnTool, ownTool } from "./own_tool.ts";
import type { Todos } from "./todos.ts";

const OTHER = "Something else…";

const Phase = z.object({
  id: z.optional(z.string()),
  name: z.string(),
  tasks: z.array(z.object({
    id: z.optional(z.string()),
    content: z.string(),
    status: z.enum(["pending", "in_progress", "completed", "abandoned"]),
  })),
});

export function planTools(
  { todos, dialogs }: { readonly todos: Todos; readonly dialogs: Dialogs },
): OwnTool[] {
  return [
    ownTool({
      name: "todo",
      description:
        "Replaces the plan of the analysis. Use it for work of several steps: one task in progress at a time, " +
        "and set each to completed as soon as it is done.",
      arguments: z.object({ phases: z.array(Phase) }),
      run: ({ phases }) => ({ json: toJson({ phases: todos.set(phases) }) }),
    }),
    ownTool({
      name: "ask",
      description:
        "Asks the user something that cannot be found out, such as which of two columns is meant. " +
        "Give the likely answers as options.",
      arguments: z.object({ question: z.string(), options: z.optional(z.array(z.string())) }),
      run: async ({ question, options = [] }, { signal }) => {
        const chosen = options.length === 0
          ? OTHER
          : await dialogs.select(question, { options: [...options, OTHER], signal });
        const answer = chosen === OTHER ? await dialogs.input(question, { signal }) : chosen;
        if (answer !== undefined) return { json: toJson({ answer }) };
        const next = "Take the likeliest meaning, and say which one you took.";
        throw new Fault("unavailable", `The user gave no answer. ${next}`);
      },
    }),
  ];
}
