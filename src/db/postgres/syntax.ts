/**
 * What a syntax tree holds that a judgement is about: its kinds of nodes, and the functions, operators and relations it
 * names. It collects; what may be there is decided by judge.ts.
 */
import type { Tree } from "./parser.ts";

/** A name as the parser folded it, with the schema in front of it where one was written. */
export interface Name {
  readonly schema?: string;
  readonly name: string;
}

export interface Call extends Name {
  /** How many arguments are written. */
  readonly arguments: number;
}

export interface Syntax {
  /** The kinds of nodes, such as SelectStmt, and the clauses that stand in the tree without being nodes. */
  readonly kinds: ReadonlySet<string>;
  readonly calls: readonly Call[];
  /** Names behind the dot of a column, `t.f`: where t has no such column, the function f is called with t's row. */
  readonly columns: ReadonlySet<string>;
  /** Names behind the dot of an expression, `(x).f`: where x has no such field, the function f is called with x. */
  readonly fields: ReadonlySet<string>;
  readonly operators: ReadonlySet<string>;
  readonly relations: readonly Name[];
}

/** Fields that matter by themselves, since their values are no nodes. */
const CLAUSES = ["intoClause", "lockingClause"];

/** Visits every object of the tree, without recursion: trees can be deep. */
export function readSyntax(tree: Tree): Syntax {
  const found = {
    kinds: new Set<string>(),
    calls: new Array<Call>(),
    columns: new Set<string>(),
    fields: new Set<string>(),
    operators: new Set<string>(),
    relations: new Array<Name>(),
  };
  const waiting: unknown[] = [tree];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (!isObject(value)) continue;
    for (const [key, field] of Object.entries(value)) {
      if (/^[A-Z]/.test(key) || CLAUSES.includes(key)) found.kinds.add(key);
      waiting.push(field);
    }
    if (!Array.isArray(value)) readObject(value, found);
  }
  return found;
}

interface Found {
  readonly calls: Call[];
  readonly columns: Set<string>;
  readonly fields: Set<string>;
  readonly operators: Set<string>;
  readonly relations: Name[];
}

/** Objects are told by their fields, as not all stand under the name of their kind. */
function readObject(object: { readonly [key: string]: unknown }, found: Found): void {
  const { funcname, method, relname, schemaname, fields, indirection, args } = object;
  for (const name of [funcname, method]) {
    if (Array.isArray(name)) {
      found.calls.push({ ...toName(name), arguments: Array.isArray(args) ? args.length : 0 });
    }
  }
  if (typeof relname === "string") {
    found.relations.push(
      typeof schemaname === "string" ? { schema: schemaname, name: relname } : { name: relname },
    );
  }
  for (const name of strings(fields).slice(1)) found.columns.add(name);
  for (const name of strings(indirection)) found.fields.add(name);
  for (const name of [object.name, object.useOp, object.operName]) {
    if (Array.isArray(name)) found.operators.add(toName(name).name);
  }
}

function toName(parts: readonly unknown[]): Name {
  const names = strings(parts);
  const [name = "", schema] = names.toReversed();
  return schema === undefined ? { name } : { schema, name };
}

/** The texts of String nodes. */
function strings(nodes: unknown): string[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((node) => {
    const text = isObject(node) && isObject(node.String) ? node.String.sval ?? "" : undefined;
    return typeof text === "string" ? [text] : [];
  });
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null;
}
