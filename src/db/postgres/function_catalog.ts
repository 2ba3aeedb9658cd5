/**
 * What the server's catalog says of functions and operators: whether they may do more than compute. Remembered for a
 * short time, since others may change them.
 */
import { lacksCatalog, postgresFault } from "./faults.ts";
import type { Ask } from "./lease.ts";
import type { TextRow } from "./session.ts";
import { writeArray } from "./text_formats.ts";

/** One overload of a function, or a type's name, which converts like a function. */
export interface Candidate {
  readonly schema: string;
  /** Found without its schema in front. */
  readonly isVisible: boolean;
  /** VOLATILE: it may change something, wait, or talk to the world outside. */
  readonly isVolatile: boolean;
  readonly minArguments: number;
  readonly maxArguments: number;
  /** Its first argument may be a whole row. */
  readonly takesRow: boolean;
}

export interface Candidates {
  /** By name; a name the server does not know has none. */
  readonly functions: ReadonlyMap<string, readonly Candidate[]>;
  /** Only those whose function is volatile. */
  readonly operators: ReadonlyMap<string, readonly Candidate[]>;
}

/** How long an answer holds, in milliseconds, and how many names are remembered. */
const FRESH_MS = 60_000;
const REMEMBERED = 5_000;

/**
 * An aggregate is what the functions are that it is made of. Functions whose first argument is internal are the server's
 * alone to call, but for those behind TABLESAMPLE.
 */
const QUERY = `
SELECT 'f', p.proname, n.nspname, pg_function_is_visible(p.oid), p.provolatile = 'v' OR EXISTS (
    SELECT 1 FROM pg_catalog.pg_aggregate a JOIN pg_catalog.pg_proc part ON part.oid
      IN (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn)
    WHERE a.aggfnoid = p.oid AND part.provolatile = 'v'),
  p.pronargs - p.pronargdefaults, CASE WHEN p.provariadic <> 0 THEN 1000 ELSE p.pronargs END,
  first.typtype IN ('c', 'p') AND first.typname <> 'internal'
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
LEFT JOIN pg_catalog.pg_type first ON first.oid = p.proargtypes[0]
WHERE p.proname = ANY ($1::text[])
UNION ALL
SELECT 'f', t.typname, n.nspname, pg_type_is_visible(t.oid), false, 1, 1, false
FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
WHERE t.typname = ANY ($1::text[])
UNION ALL
SELECT 'o', o.oprname, n.nspname, pg_operator_is_visible(o.oid), true, 1, 2, false
FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_namespace n ON n.oid = o.oprnamespace
JOIN pg_catalog.pg_proc p ON p.oid = o.oprcode
WHERE o.oprname = ANY ($2::text[]) AND p.provolatile = 'v'`;

/** For servers that know less: every function counts as visible, and operators are not asked for. */
const PLAIN_QUERY = `
SELECT 'f', p.proname, n.nspname, true, p.provolatile = 'v', 0, 1000, true
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
WHERE p.proname IN (SELECT unnest($1::text[]) UNION ALL SELECT unnest($2::text[]))`;

export class FunctionCatalog {
  readonly #ask: Ask;
  #functions = new Map<string, readonly Candidate[]>();
  #operators = new Map<string, readonly Candidate[]>();
  #readAt = 0;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Throws Fault when the catalog cannot be read. */
  async find(functions: readonly string[], operators: readonly string[]): Promise<Candidates> {
    if (Date.now() - this.#readAt > FRESH_MS || this.#functions.size + this.#operators.size > REMEMBERED) {
      this.#functions = new Map();
      this.#operators = new Map();
      this.#readAt = Date.now();
    }
    const known = { functions: this.#functions, operators: this.#operators };
    const newFunctions = functions.filter((name) => !known.functions.has(name));
    const newOperators = operators.filter((name) => !known.operators.has(name));
    if (newFunctions.length + newOperators.length === 0) return known;
    const rows = await this.#read([writeArray(newFunctions), writeArray(newOperators)]);
    const pick = (kind: string, name: string) =>
      rows.filter((row) => row[0] === kind && row[1] === name).map(toCandidate);
    for (const name of newFunctions) known.functions.set(name, pick("f", name));
    for (const name of newOperators) known.operators.set(name, pick("o", name));
    return known;
  }

  async #read(names: readonly string[]): Promise<readonly TextRow[]> {
    try {
      return await this.#ask(QUERY, names).catch((error) => {
        if (lacksCatalog(error)) return this.#ask(PLAIN_QUERY, names);
        throw error;
      });
    } catch (error) {
      throw postgresFault(error, "read what the server says of the statement's functions");
    }
  }
}

function toCandidate(row: TextRow): Candidate {
  const [, , schema, visible, volatile, min, max, takesRow] = row;
  return {
    schema: schema ?? "",
    isVisible: visible === "t",
    isVolatile: volatile === "t",
    minArguments: Number(min),
    maxArguments: Number(max),
    takesRow: takesRow === "t",
  };
}
