/**
 * The tree that DuckDB's own parser makes of a SELECT.
 */
import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import { explained } from "./gate.ts";
import type { JudgedEngine } from "./judged_engine.ts";

const Parsed = z.discriminatedUnion("error", [
  z.object({ error: z.literal(false), statements: z.array(z.unknown()) }),
  z.object({
    error: z.literal(true),
    error_type: z.string(),
    error_message: z.string(),
    position: z.optional(z.string()),
  }),
]);

/** The tree of a SELECT, also of one that is explained; undefined for other statements. */
export async function selectTree(sql: string, engine: JudgedEngine): Promise<unknown> {
  const tree = await parseSelect(sql, engine);
  const rest = tree === undefined ? explained(sql) : undefined;
  return rest === undefined ? tree : await parseSelect(rest, engine).catch(() => undefined);
}

const STRING_OR_INFINITY = /"(?:[^"\\]|\\.)*"|-?Infinity/g;

/** DuckDB writes a constant beyond a double (`1e400`) bare, which is no JSON; no judgement depends on it. */
function withoutInfinity(tree: string): string {
  return tree.replace(STRING_OR_INFINITY, (token) => token.startsWith('"') ? token : "null");
}

/** The same, of a SELECT alone. Throws Fault: syntax_error, multiple_statements, not_understood. */
export async function parseSelect(sql: string, engine: JudgedEngine): Promise<unknown> {
  const parsed = Parsed.parse(JSON.parse(withoutInfinity(await engine.parse(sql))));
  if (!parsed.error) {
    const [tree, ...more] = parsed.statements;
    if (more.length > 0) {
      throw new Fault(
        "multiple_statements",
        "Cannot run more than one statement at once: send them one by one.",
      );
    }
    if (tree === undefined) throw new Fault("not_understood", "Cannot run the statement: it is empty.");
    return tree;
  }
  if (parsed.error_type === "not implemented") return undefined;
  const position = Number(parsed.position);
  throw new Fault("syntax_error", "Cannot run the statement: it is not valid DuckDB SQL. Correct it.", {
    server: {
      message: parsed.error_message,
      ...(Number.isSafeInteger(position) ? { position: position + 1 } : {}),
    },
  });
}
