/**
 * What a statement refers to, collected from the tree that DuckDB's own parser makes of it: functions in whatever
 * position, and relations. A part of a tree that this file does not know is refused.
 */
import { Fault } from "../../base/fault.ts";

export interface RelationName {
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
}

export interface References {
  /** Lower-case names of scalar, aggregate and window functions. */
  readonly scalar: Set<string>;
  /** Lower-case names of functions that stand as tables. */
  readonly table: Set<string>;
  readonly relations: RelationName[];
}

/** Classes of expressions. */
const EXPRESSIONS = new Set([
  "BETWEEN",
  "CASE",
  "CAST",
  "COLLATE",
  "COLUMN_REF",
  "COMPARISON",
  "CONJUNCTION",
  "CONSTANT",
  "FUNCTION",
  "LAMBDA",
  "OPERATOR",
  "POSITIONAL_REFERENCE",
  "STAR",
  "SUBQUERY",
  "WINDOW",
]);
/** Types of everything that is no expression: query nodes, table references, modifiers, orders. */
const NODES = new Set([
  "SELECT_NODE",
  "SET_OPERATION_NODE",
  "RECURSIVE_CTE_NODE",
  "CTE_NODE",
  "BASE_TABLE",
  "EMPTY",
  "EXPRESSION_LIST",
  "JOIN",
  "PIVOT",
  "SHOW_REF",
  "SUBQUERY",
  "TABLE_FUNCTION",
  "DISTINCT_MODIFIER",
  "LIMIT_MODIFIER",
  "LIMIT_PERCENT_MODIFIER",
  "ORDER_MODIFIER",
  "ASCENDING",
  "DESCENDING",
  "ORDER_DEFAULT",
]);
/** What DESCRIBE and SUMMARIZE are in FROM; the other forms of SHOW list databases and settings. */
const SHOWS = new Set<unknown>(["DESCRIBE", "SUMMARY"]);

type JsonObject = { readonly [key: string]: unknown };

/** Throws Fault `not_understood` for an unknown part, `not_read_only` for SHOW. */
export function referencesOf(tree: unknown): References {
  const found: References = { scalar: new Set(), table: new Set(), relations: [] };
  const rest: unknown[] = [tree];
  while (rest.length > 0) {
    const part = rest.pop();
    if (Array.isArray(part)) rest.push(...part);
    else if (isObject(part)) rest.push(...visit(part, found));
  }
  return found;
}

/** Notes what the object refers to, and gives the parts that are still to be visited. */
function visit(part: JsonObject, found: References): readonly unknown[] {
  const { class: expression, type } = part;
  if (typeof expression === "string") {
    if (!EXPRESSIONS.has(expression)) throw unknownPart(expression);
    if (expression === "CONSTANT") return [];
    if (expression === "FUNCTION" || expression === "WINDOW") {
      found.scalar.add(text(part, "function_name").toLowerCase());
    }
  } else if (typeof type === "string") {
    if (!NODES.has(type) && !type.endsWith("_TYPE_INFO")) throw unknownPart(type);
    if (type === "SHOW_REF" && !SHOWS.has(part["show_type"])) {
      throw new Fault("not_read_only", "Cannot run SHOW: list the tables instead.");
    }
    if (type === "BASE_TABLE") {
      found.relations.push({
        catalog: text(part, "catalog_name"),
        schema: text(part, "schema_name"),
        name: text(part, "table_name"),
      });
    }
    if (type === "TABLE_FUNCTION") {
      const { function: call, ...others } = part;
      if (!isObject(call)) throw unknownPart(type);
      found.table.add(text(call, "function_name").toLowerCase());
      return [call["children"], ...Object.values(others)];
    }
  }
  return Object.values(part);
}

function text(part: JsonObject, key: string): string {
  const value = part[key];
  if (typeof value !== "string") throw unknownPart(key);
  return value;
}

function unknownPart(name: string): Fault {
  return new Fault(
    "not_understood",
    `Cannot run the statement: it has a part that is not known here (${name}).`,
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
