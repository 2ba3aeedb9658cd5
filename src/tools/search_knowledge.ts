/**
 * search_knowledge: what people wrote down about a database, found by words.
 */
import * as z from "zod/mini";
import { BoundedText } from "../base/bounded_text.ts";
import { toJson } from "../base/json.ts";
import type { Tool } from "./tool.ts";

const args = z.strictObject({
  query: z.string().check(z.describe("Words of the question, such as the terms that need a definition")),
});

const LIMIT = 10;
/** Room for what stands around the entries. */
const FRAME_BYTES = 100;

export const searchKnowledge: Tool<typeof args> = {
  name: "search_knowledge",
  title: "Search the knowledge base",
  description: "What people wrote down about a database: definitions of terms, rules, queries that work. " +
    "Search it before writing SQL for terms that could mean several things.",
  arguments: args,
  needsDatabase: true,
  readsKnowledge: true,
  output: {
    type: "object",
    properties: {
      total_results: { type: "integer" },
      results: { type: "array", items: { type: "object" } },
    },
    required: ["total_results", "results"],
  },
  async run({ query }, { database, knowledge, maxBytes }) {
    const found = await knowledge?.search(database, { query, limit: LIMIT }) ?? [];
    const text = new BoundedText(maxBytes - FRAME_BYTES);
    const results = found.map(({ id, name, description, sql, source }) =>
      toJson({ id, name, description, sql: sql ?? "", source: source ?? "" })
    );
    let count = 0;
    while (count < results.length && text.add(`${count === 0 ? "" : ","}${results[count]}`)) count++;
    return { json: `{"total_results":${count},"results":[${text}]}` };
  },
};
