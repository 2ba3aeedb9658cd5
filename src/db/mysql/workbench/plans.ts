/**
 * MySQL's and MariaDB's plans (EXPLAIN in JSON) as a tree: the members that are steps become nodes, the rest is told with
 * them.
 */
import type { PlanNode, PlanSql } from "../../workbench.ts";

type Facts = Readonly<Record<string, unknown>>;

export const PLANS: PlanSql = {
  // MariaDB measures by ANALYZE FORMAT=JSON; MySQL 8.3 by EXPLAIN ANALYZE FORMAT=JSON
  explain: (sql, { analyze }) =>
    analyze
      ? [`ANALYZE FORMAT=JSON ${sql}`, `EXPLAIN ANALYZE FORMAT=JSON ${sql}`]
      : [`EXPLAIN FORMAT=JSON ${sql}`],
  read: ([[json = ""] = []], { analyze }) => {
    const plan: unknown = JSON.parse(json);
    const [root, ...others] = isFacts(plan) ? steps(plan) : [];
    const only = root !== undefined && others.length === 0 ? root : undefined;
    const { r_total_time_ms: planning } = isFacts(plan) && isFacts(plan.query_optimization)
      ? plan.query_optimization
      : {};
    const [planningMs, executionMs] = [number(planning), analyze ? only?.actual_time_ms : undefined];
    return {
      ...planningMs === undefined ? {} : { planningMs },
      ...executionMs === undefined ? {} : { executionMs },
      root: only ?? { node_type: "query", extra: {}, children: root === undefined ? [] : [root, ...others] },
      isMeasured: analyze,
    };
  },
};

/** Members that hold a step, or a list of them. */
const STEPS =
  /^(?:query_block|table|nested_loop|ordering_operation|grouping_operation|duplicates_removal|filesort|read_sorted_file|temporary_table|block-nl-join|materialized|materialized_from_subquery|union_result|query_specifications|subqueries|attached_subqueries|optimized_away_subqueries|window_functions_computation|windowing|buffer_result|query_plan|inputs|having_subqueries|select_list_subqueries|insert_from|update_value_subqueries)$/;

function isFacts(value: unknown): value is Facts {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function steps(holder: Facts): PlanNode[] {
  return Object.entries(holder).flatMap(([key, value]) => {
    if (!STEPS.test(key)) return [];
    if (Array.isArray(value)) {
      const nodes = value.filter(isFacts).flatMap((each) =>
        hasStep(each) ? steps(each) : [toNode(key, each)]
      );
      return key === "nested_loop" ? [{ node_type: key, extra: {}, children: nodes }] : nodes;
    }
    return isFacts(value) ? [toNode(key, value)] : [];
  });
}

function hasStep(facts: Facts): boolean {
  return Object.keys(facts).some((key) => STEPS.test(key)) && !("access_type" in facts);
}

function toNode(key: string, facts: Facts): PlanNode {
  const costs = isFacts(facts.cost_info) ? facts.cost_info : {};
  const numbers = {
    total_cost: number(costs.query_cost ?? costs.prefix_cost ?? facts.cost ?? facts.estimated_total_cost),
    plan_rows: number(facts.rows_examined_per_scan ?? facts.rows ?? facts.estimated_rows),
    actual_rows: number(facts.r_rows ?? facts.actual_rows),
    actual_time_ms: number(facts.r_total_time_ms ?? facts.actual_last_row_ms),
    actual_loops: number(facts.r_loops ?? facts.actual_loops),
  };
  const texts = {
    relation: text(facts.table_name),
    filter: text(facts.attached_condition),
    index_condition: text(facts.index_condition),
  };
  const known = Object.entries({ ...numbers, ...texts }).filter(([, value]) => value !== undefined);
  return {
    node_type: text(facts.access_type) ?? text(facts.operation) ?? key,
    ...Object.fromEntries(known),
    extra: Object.fromEntries(
      Object.entries(facts).filter(([name]) => !STEPS.test(name)).map((
        [name, value],
      ) => [name, plain(value)]),
    ),
    children: steps(facts),
  };
}

function number(value: unknown): number | undefined {
  const read = typeof value === "string" || typeof value === "number" ? Number(value) : NaN;
  return Number.isFinite(read) ? read : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function plain(value: unknown): string | number | boolean {
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isPlain ? value : JSON.stringify(value);
}
