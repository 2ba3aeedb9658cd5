/**
 * PostgreSQL's plans (EXPLAIN in JSON) as a tree.
 */
import * as z from "zod/mini";
import type { PlanNode, PlanSql } from "../../workbench.ts";

const number = z.optional(z.number());
const text = z.optional(z.string());

const node = z.looseObject({
  "Node Type": z.string(),
  "Relation Name": text,
  "Startup Cost": number,
  "Total Cost": number,
  "Plan Rows": number,
  "Actual Rows": number,
  "Actual Total Time": number,
  "Actual Loops": number,
  "Shared Hit Blocks": number,
  "Shared Read Blocks": number,
  Filter: text,
  "Index Cond": text,
  "Join Type": text,
  "Hash Cond": text,
  get Plans() {
    return z.optional(z.array(node));
  },
});
const answer = z.tuple([z.looseObject({ Plan: node, "Planning Time": number, "Execution Time": number })]);

export const PLANS: PlanSql = {
  explain: (sql, { analyze }) => [
    `EXPLAIN (FORMAT JSON${analyze ? ", ANALYZE, BUFFERS" : ""}) ${sql}`,
  ],
  read: ([[json = ""] = []], { analyze }) => {
    const [{ Plan: root, ...times }] = answer.parse(JSON.parse(json));
    return {
      root: toNode(root),
      isMeasured: analyze,
      ...times["Planning Time"] === undefined ? {} : { planningMs: times["Planning Time"] },
      ...times["Execution Time"] === undefined ? {} : { executionMs: times["Execution Time"] },
    };
  },
};

const NAMES: { readonly [name: string]: keyof PlanNode } = {
  "Node Type": "node_type",
  "Relation Name": "relation",
  "Startup Cost": "startup_cost",
  "Total Cost": "total_cost",
  "Plan Rows": "plan_rows",
  "Actual Rows": "actual_rows",
  "Actual Total Time": "actual_time_ms",
  "Actual Loops": "actual_loops",
  "Shared Hit Blocks": "buffers_hit",
  "Shared Read Blocks": "buffers_read",
  "Filter": "filter",
  "Index Cond": "index_condition",
  "Join Type": "join_type",
  "Hash Cond": "hash_condition",
};

function toNode({ Plans: plans = [], ...facts }: z.infer<typeof node>): PlanNode {
  const known = Object.entries(facts).flatMap(([key, value]) => {
    const name = NAMES[key];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  const extra = Object.entries(facts).flatMap(([key, value]) => {
    if (NAMES[key] !== undefined) return [];
    const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return value === undefined ? [] : [[key, isPlain ? value : JSON.stringify(value)] as const];
  });
  return {
    node_type: facts["Node Type"],
    ...Object.fromEntries(known),
    extra: Object.fromEntries(extra),
    children: plans.map(toNode),
  };
}
