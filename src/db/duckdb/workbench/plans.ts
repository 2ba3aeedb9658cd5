/**
 * DuckDB's plans (EXPLAIN in JSON) as a tree.
 */
import * as z from "zod/mini";
import type { PlanNode, PlanSql } from "../../workbench.ts";

const info = z.record(z.string(), z.unknown());
const node = z.looseObject({
  name: z.optional(z.string()),
  operator_name: z.optional(z.string()),
  operator_timing: z.optional(z.number()),
  operator_cardinality: z.optional(z.number()),
  latency: z.optional(z.number()),
  extra_info: z.optional(info),
  get children() {
    return z.optional(z.array(node));
  },
});
type Node = z.infer<typeof node>;

export const PLANS: PlanSql = {
  explain: (sql, { analyze }) => [`EXPLAIN (${analyze ? "ANALYZE, " : ""}FORMAT json) ${sql}`],
  read: (rows, { analyze }) => {
    const [json = "null"] = rows.map((row) => row.at(-1) ?? "");
    const parsed: unknown = JSON.parse(json);
    const roots = z.array(node).parse(Array.isArray(parsed) ? parsed : [parsed]);
    const [only] = roots;
    const root = only && roots.length === 1
      ? toNode(only)
      : { node_type: "QUERY", extra: {}, children: roots.map(toNode) };
    const time = only?.latency;
    return { root, isMeasured: analyze, ...time === undefined ? {} : { executionMs: time * 1000 } };
  },
};

function toNode(step: Node): PlanNode {
  const facts = step.extra_info ?? {};
  const text = (key: string) => typeof facts[key] === "string" ? { value: facts[key] } : undefined;
  const rows = Number(facts["Estimated Cardinality"] ?? NaN);
  const [table, filter, kind, conditions] = ["Table", "Filters", "Join Type", "Conditions"].map((key) =>
    text(key)?.value
  );
  return {
    node_type: (step.operator_name ?? step.name ?? "QUERY").trim(),
    ...table === undefined ? {} : { relation: table },
    ...Number.isFinite(rows) ? { plan_rows: rows } : {},
    ...step.operator_cardinality === undefined ? {} : { actual_rows: step.operator_cardinality },
    ...step.operator_timing === undefined ? {} : { actual_time_ms: step.operator_timing * 1000 },
    ...filter === undefined ? {} : { filter },
    ...kind === undefined ? {} : { join_type: kind },
    ...conditions === undefined ? {} : { hash_condition: conditions },
    extra: Object.fromEntries(
      Object.entries(facts).map((
        [key, value],
      ) => [key, typeof value === "string" ? value : JSON.stringify(value)]),
    ),
    children: (step.children ?? []).map(toNode),
  };
}
