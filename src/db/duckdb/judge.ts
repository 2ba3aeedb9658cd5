/**
 * What a statement may do, judged from the tree that DuckDB's own parser makes of it: each function that it calls, itself
 * or in macros and views, must be one of those in functions.ts, and no file may stand where a table stands. A statement that
 * writes has no such tree; no name that it mentions may be that of a function which may not be called.
 */
import { Fault } from "../../base/fault.ts";
import type { Access } from "../driver.ts";
import { CLOSED_VIEWS, type FunctionKind, type Functions } from "./functions.ts";
import { checkText } from "./gate.ts";
import type { JudgedEngine } from "./judged_engine.ts";
import { type Mentions, mentionsOf } from "./mentions.ts";
import { parseSelect, selectTree } from "./select_tree.ts";
import { type References, referencesOf, type RelationName } from "./tree.ts";

/** Macros and views may use others; a statement that needs more of them is refused. */
const MAX_DEFINITIONS = 100;
/** A name that could be that of a file, and one that DuckDB would read as such. */
const LIKE_A_FILE =
  /[/\\:*?]|\.(?:csv|tsv|txt|parquet|json|jsonl|ndjson|geojson|arrows?|feather|ipc|avro|xml|xlsx?|gz|zst|bz2|db|duckdb|sqlite3?|shp|gpkg|fgb|kml|lance|vortex)$/i;

/** What gives a new row its number, and changes nothing else: statements that write may call it. */
const OF_SEQUENCES = new Set(["nextval", "currval"]);

/**
 * Judges a statement as it will run; which kinds of statements a session that writes may run is gate.ts's to say. Throws Fault: syntax_error, multiple_statements, not_read_only, forbidden_function, unknown_relation, not_understood.
 */
export async function judgeStatement(
  sql: string,
  { engine, access }: { readonly engine: JudgedEngine; readonly access: Access },
): Promise<void> {
  checkText(sql);
  const tree = await selectTree(sql, engine);
  if (tree !== undefined) return await judgeTree(tree, engine);
  if (access === "read") {
    throw new Fault(
      "not_read_only",
      "Cannot run the statement: only SELECT, and EXPLAIN of a SELECT, may run here.",
    );
  }
  await judgeMentions(mentionsOf(sql), engine);
}

async function judgeTree(tree: unknown, engine: JudgedEngine): Promise<void> {
  const references = referencesOf(tree);
  await judgeDefinitions(checkUses(references, await engine.functions()), engine);
  for (const relation of references.relations) await checkRelation(relation, engine);
}

async function judgeMentions({ called, names, shows }: Mentions, engine: JudgedEngine): Promise<void> {
  if (shows) throw new Fault("not_read_only", "Cannot run SHOW: list the tables instead.");
  const { scalar, table, views } = await engine.functions();
  const definitions: string[] = [];
  for (const name of called) {
    const verdicts = [scalar.own.get(name), table.own.get(name)];
    if (verdicts.includes(false) && !OF_SEQUENCES.has(name)) throw forbidden(name);
    definitions.push(...scalar.macros.get(name) ?? [], ...table.macros.get(name) ?? []);
  }
  for (const name of names) {
    if (CLOSED_VIEWS.has(name)) throw closed(name);
    definitions.push(...views.get(name) ?? []);
  }
  await judgeDefinitions(definitions, engine);
}

/** What macros and views run, and what those use. */
async function judgeDefinitions(texts: readonly string[], engine: JudgedEngine): Promise<void> {
  const functions = await engine.functions();
  const judged = new Set<string>();
  const pending = [...texts];
  for (let text = pending.pop(); text !== undefined; text = pending.pop()) {
    if (judged.has(text)) continue;
    judged.add(text);
    if (judged.size > MAX_DEFINITIONS) {
      throw new Fault("not_understood", "Cannot run the statement: it needs too many macros and views.");
    }
    const tree = await parseSelect(text, engine);
    if (tree === undefined) {
      throw new Fault("not_understood", "Cannot run the statement: a macro or view in it is not understood.");
    }
    pending.push(...checkUses(referencesOf(tree), functions));
  }
}

/** Gives what the macros and views among them run, which is to be judged too. */
function checkUses({ scalar, table, relations }: References, functions: Functions): string[] {
  const views = relations.flatMap(({ name }) => functions.views.get(name.toLowerCase()) ?? []);
  return [...callsOf(scalar, functions.scalar), ...callsOf(table, functions.table), ...views];
}

function* callsOf(names: ReadonlySet<string>, { own, macros }: FunctionKind): Iterable<string> {
  for (const name of names) {
    const macro = macros.get(name);
    // One of DuckDB's own that a macro stands before can still be called by its qualified name.
    if (!(own.get(name) ?? macro !== undefined)) {
      throw forbidden(name);
    }
    if (macro !== undefined) yield* macro;
  }
}

/** DuckDB reads a file where no table has the name; so a name that could be a file's must be a table's. */
async function checkRelation(relation: RelationName, engine: JudgedEngine): Promise<void> {
  const name = relation.name.toLowerCase();
  if (CLOSED_VIEWS.has(name)) throw closed(name);
  const path = [relation.catalog, relation.schema, relation.name].filter((part) => part !== "").join(".");
  if (LIKE_A_FILE.test(path) && !await engine.hasRelation(relation)) {
    throw new Fault(
      "unknown_relation",
      `Cannot run the statement: there is no table or view ${
        JSON.stringify(path)
      }, and files cannot be read. List the tables.`,
    );
  }
}

function forbidden(name: string): Fault {
  return new Fault(
    "forbidden_function",
    `Cannot run the statement: the function ${
      JSON.stringify(name)
    } does not exist or may not be called here.`,
  );
}

function closed(name: string): Fault {
  return new Fault(
    "forbidden_function",
    `Cannot run the statement: ${JSON.stringify(name)} may not be read here.`,
  );
}
