/**
 * SQLite's EXPLAIN QUERY PLAN as a tree. It knows no costs and measures nothing.
 */
import type { PlanNode, PlanSql } from "../../workbench.ts";

interface Step {
  readonly id: string;
  readonly parent: string;
  readonly detail: string;
}

export const PLANS: PlanSql = {
  explain: (sql) => [`EXPLAIN QUERY PLAN ${sql}`],
  read: (rows) => {
    const steps = rows.map(([id = "", parent = "", , detail = ""]) => ({ id, parent, detail }));
    const ids = new Set(steps.map((step) => step.id));
    const roots = steps.filter((step) => !ids.has(step.parent)).map((step) => toNode(step, steps));
    const [only] = roots;
    const root = roots.length === 1 && only ? only : { node_type: "QUERY PLAN", extra: {}, children: roots };
    return { root, isMeasured: false };
  },
};

function toNode(step: Step, steps: readonly Step[]): PlanNode {
  const [, verb, table] = /^(SCAN|SEARCH)\s+(?:TABLE\s+)?(\S+)/.exec(step.detail) ?? [];
  const [, condition] = /\(([^()]*(?:\([^()]*\)[^()]*)*)\)$/.exec(step.detail) ?? [];
  return {
    node_type: verb ?? step.detail,
    ...table === undefined ? {} : { relation: table },
    ...verb === "SEARCH" && condition !== undefined ? { index_condition: condition } : {},
    extra: { detail: step.detail },
    children: steps.filter((each) => each.parent === step.id && each.id !== step.id)
      .map((each) => toNode(each, steps)),
  };
}
