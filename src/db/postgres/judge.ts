/**
 * The judgement of a statement by PostgreSQL's own grammar: one statement, of known parts only, that reads (or writes in
 * ways that are allowed), uses functions that only compute, and keeps away from the server's secrets.
 */
import { Fault } from "../../base/fault.ts";
import type { Access } from "../driver.ts";
import { FunctionCatalog } from "./function_catalog.ts";
import { judgeFunctions } from "./function_policy.ts";
import { EXPLAINING, READING, WRITES, WRITING } from "./kinds.ts";
import type { Ask } from "./lease.ts";
import { Parser, type Tree } from "./parser.ts";
import { judgeRelations } from "./secret_relations.ts";
import { judgeOptions } from "./statement_options.ts";
import { readSyntax, type Syntax } from "./syntax.ts";

export class Judge {
  readonly #parser = new Parser();
  readonly #functions: FunctionCatalog;

  /** `ask` reads the catalog of the server on which the statements will run. */
  constructor(ask: Ask) {
    this.#functions = new FunctionCatalog(ask);
  }

  /** Throws Fault for what the statement must not do, or what is not understood of it. */
  async judge(sql: string, access: Access): Promise<void> {
    const tree = await this.#parseOne(sql);
    const [kind = ""] = Object.keys(tree);
    const syntax = readSyntax(tree);
    judgeKinds(kind, { syntax, access });
    judgeOptions(kind, tree[kind]);
    judgeRelations(syntax.relations);
    judgeFunctions(syntax, await this.#functions.find(functionNames(syntax), [...syntax.operators]));
  }

  /** Whether any part of the statement writes. */
  async writes(sql: string): Promise<boolean> {
    const { kinds } = readSyntax(await this.#parseOne(sql));
    return !kinds.isDisjointFrom(WRITES);
  }

  async #parseOne(sql: string): Promise<Tree> {
    const [tree, ...more] = await this.#parser.parse(sql);
    if (tree === undefined) {
      throw new Fault("not_understood", "Cannot run the statement: it is empty. Write one.");
    }
    if (more.length === 0) return tree;
    const next = "Run them one by one, each by its own call.";
    throw new Fault("multiple_statements", `Cannot run the statement: there is more than one. ${next}`);
  }
}

function functionNames({ calls, columns, fields }: Syntax): string[] {
  return [...new Set([...calls.map(({ name }) => name), ...columns, ...fields])];
}

function judgeKinds(kind: string, { syntax, access }: { syntax: Syntax; access: Access }): void {
  const mayWrite = access === "write" && kind !== "ExplainStmt";
  const heads = kind === "SelectStmt" || kind === "ExplainStmt" || (mayWrite && WRITES.has(kind));
  const allowed = READING.union(kind === "ExplainStmt" ? EXPLAINING : mayWrite ? WRITING : READING);
  const refused = heads ? syntax.kinds.difference(allowed) : [kind];
  for (const each of refused) {
    throw new Fault("not_read_only", `Cannot run the statement: it has ${describe(each)}. ${NEXT[access]}`);
  }
}

const NEXT: { readonly [access in Access]: string } = {
  read: "Only SELECT, VALUES and WITH, and EXPLAIN of these, may be run.",
  write:
    "There are SELECT, INSERT, UPDATE, DELETE, CREATE TABLE, VIEW or INDEX, and ALTER TABLE that adds, renames or retypes.",
};

/** A kind of node in words: `LockStmt` is "a LOCK statement". */
function describe(kind: string): string {
  if (kind === "intoClause") return "an INTO that writes a table";
  if (/^lockingClause$/i.test(kind)) return "a FOR UPDATE or FOR SHARE that locks rows";
  if (kind === "ParamRef") return "a parameter such as $1, for which there is no value";
  const name = kind.replace(/Stmt$/, "").replace(/(?<=[a-z])(?=[A-Z])/g, " ").toUpperCase();
  return kind.endsWith("Stmt") ? `the statement ${name}` : `the part ${name}`;
}
