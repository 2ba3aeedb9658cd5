/**
 * Plans as the host draws them. With `analyze` the statement runs, and what it changed is undone.
 */
import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import type { Json } from "../../base/json.ts";
import { type Cell, JsonText, type Row } from "../../db/values.ts";
import type { Plan, PlanNode, WorkSession } from "../../db/workbench.ts";
import type { Commands } from "../../wire/dispatch.ts";
import { type Connection, execute, readAll } from "./connection.ts";
import type { Plugin } from "./plugin.ts";
import { connected, schemaName, text } from "./requests.ts";

export function explainCommands(plugin: Plugin): Commands {
  return {
    explain_query: connected(plugin, {
      query: text,
      analyze: z._default(z.boolean(), false),
      schema: schemaName,
    }, {
      run: async ({ fields, connection, signal }) => {
        const { query, analyze, schema } = fields;
        const [sql, ...others] = connection.work.statements(query);
        if (sql === undefined || others.length > 0) {
          throw new Fault("bad_request", "Cannot explain the text: it is not one statement. Choose one.");
        }
        const rows = await connection.useIn(schema, signal, {
          work: async (session) => {
            if (analyze) await execute(session, { sql: "BEGIN", signal });
            return await explain(session, { sql, analyze, connection, signal });
          },
        });
        const texts = rows.map((row) => row.map(cellText));
        const plan = connection.workbench.plans.read(texts, { analyze });
        return answer(plan, { query, raw: texts, driver: connection.workbench.engine });
      },
    }),
  };
}

/** Asks in the first way that the server knows. */
async function explain(
  session: WorkSession,
  { sql, analyze, connection, signal }: {
    sql: string;
    analyze: boolean;
    connection: Connection;
    signal: AbortSignal;
  },
): Promise<readonly Row[]> {
  let failure: unknown;
  for (const question of connection.workbench.plans.explain(sql, { analyze })) {
    try {
      return await readAll(session, { sql: question, signal });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const told = placed(error, question.length - sql.length);
      if (error.code !== "syntax_error") throw told;
      failure ??= told;
    }
  }
  throw failure;
}

/** The place of the fault in what the host sent, which has so many characters before it in the question. */
function placed(fault: Fault, before: number): Fault {
  const { code, message, server, cause } = fault;
  if (server?.position === undefined || server.position <= before) return fault;
  return new Fault(code, message, { server: { ...server, position: server.position - before }, cause });
}

function cellText(cell: Cell): string {
  if (cell instanceof JsonText) return cell.text;
  return cell === null ? "" : String(cell);
}

function answer(
  plan: Plan,
  { query, raw, driver }: { query: string; raw: readonly (readonly string[])[]; driver: string },
): Json {
  let nodes = 0;
  const toJson = (node: PlanNode): Json => {
    const id = `node-${nodes++}`;
    const { children, actual_loops, buffers_hit, buffers_read, ...facts } = node;
    const whole = (value: number | undefined) => value === undefined ? null : Math.round(value);
    return {
      ...EMPTY_NODE,
      ...facts,
      id,
      actual_loops: whole(actual_loops),
      buffers_hit: whole(buffers_hit),
      buffers_read: whole(buffers_read),
      children: children.map(toJson),
    };
  };
  return {
    root: toJson(plan.root),
    planning_time_ms: plan.planningMs ?? null,
    execution_time_ms: plan.executionMs ?? null,
    original_query: query,
    driver,
    has_analyze_data: plan.isMeasured,
    raw_output: raw.map((row) => row.join("\t")).join("\n"),
  };
}

/** Every member that the host may look for. */
const EMPTY_NODE = {
  relation: null,
  startup_cost: null,
  total_cost: null,
  plan_rows: null,
  actual_rows: null,
  actual_time_ms: null,
  filter: null,
  index_condition: null,
  join_type: null,
  hash_condition: null,
};
