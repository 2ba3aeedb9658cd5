/**
 * What a tree of the parser library may hold: every part that says something must be known (tree_parts.ts), and stand
 * where it does no harm. Which functions may be called is judge.ts's.
 */
import { Fault } from "../../base/fault.ts";
import type { Access } from "../driver.ts";
import { CHANGING_PARTS, OPERATORS, READING_PARTS } from "./tree_parts.ts";

/** A function that is called. */
export interface Call {
  readonly name: string;
  /** The database in front of the name. */
  readonly schema?: string;
  readonly hasArguments: boolean;
}

const READING_ROOTS = ["Query", "Explain"];
const CHANGING_ROOTS = [
  "Insert",
  "Update",
  "Delete",
  "CreateTable",
  "CreateView",
  "CreateIndex",
  "AlterTable",
];

/** A table that is named, by the parts of its name. */
export type TableName = readonly string[];

export interface Findings {
  readonly calls: readonly Call[];
  readonly tables: readonly TableName[];
}

/** What the statement calls and names. Throws Fault: not_read_only, not_understood. */
export function readTree(tree: unknown, access: Access): Findings {
  const roots = access === "write" ? [...READING_ROOTS, ...CHANGING_ROOTS] : READING_ROOTS;
  if (!isNode(tree) || !Object.keys(tree).every((root) => roots.includes(root))) {
    throw new Fault(
      "not_read_only",
      "Cannot run the statement: it is of a kind that is not allowed. Ask with SELECT.",
    );
  }
  return new Reader(access).read(tree);
}

type Node = { readonly [part: string]: unknown };

class Reader {
  readonly #access: Access;
  readonly #calls: Call[] = [];
  readonly #tables: TableName[] = [];
  /** What is still to be read; a deep tree must not fill the stack. */
  readonly #open: unknown[] = [];

  constructor(access: Access) {
    this.#access = access;
  }

  read(tree: Node): Findings {
    this.#open.push(tree);
    while (this.#open.length > 0) {
      const value = this.#open.pop();
      if (Array.isArray(value)) this.#open.push(...value);
      else if (isNode(value)) this.#node(value);
    }
    return { calls: this.#calls, tables: this.#tables };
  }

  #node(node: Node): void {
    for (const [part, value] of Object.entries(node)) {
      if (part === "span" || isEmpty(value)) continue;
      this.#check(part, value);
      this.#open.push(value);
    }
  }

  #check(part: string, value: unknown): void {
    const isKnown = READING_PARTS.has(part) || (this.#access === "write" && CHANGING_PARTS.has(part));
    if (!isKnown || (part === "op" && typeof value === "string" && !OPERATORS.has(value))) {
      throw value === "Assignment" || part === "into" || part === "locks"
        ? refusal("it writes to variables or locks rows. Leave that out")
        : refusal("it has a part that is not known to be harmless. Write it more plainly");
    }
    // INSERT INTO has it as a mark, SELECT INTO as a target
    if (part === "into" && value !== true) throw refusal("SELECT … INTO writes. Leave INTO out");
    if (part === "Explain") this.#explained(value);
    if (part === "Function") this.#calls.push(toCall(value));
    if (part === "Table" && isNode(value) && Array.isArray(value.name)) {
      this.#tables.push(namesOf(value.name));
    }
  }

  #explained(value: unknown): void {
    const statement = isNode(value) ? value.statement : undefined;
    if (isNode(statement) && Object.keys(statement).every((root) => root === "Query")) return;
    throw refusal("EXPLAIN is allowed for queries only. Explain a SELECT");
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === false || value === "" || (Array.isArray(value) && value.every(isEmpty));
}

function toCall(value: unknown): Call {
  if (!isNode(value) || !Array.isArray(value.name)) throw refusal("a function has no name. Write it plainly");
  const names = namesOf(value.name);
  const { args } = value;
  const list = isNode(args) ? args.List : undefined;
  const hasArguments = isNode(list) ? !isEmpty(list.args) : args !== "None";
  const schema = names.slice(0, -1).join(".");
  return { name: names.at(-1) ?? "", hasArguments, ...schema === "" ? {} : { schema } };
}

function namesOf(parts: readonly unknown[]): readonly string[] {
  return parts.map((part) => {
    const name = isNode(part) && isNode(part.Identifier) ? part.Identifier.value : undefined;
    if (typeof name !== "string") throw refusal("a name in it is not understood. Write it plainly");
    return name;
  });
}

function refusal(state: string): Fault {
  return new Fault("not_read_only", `Cannot run the statement: ${state}.`);
}
