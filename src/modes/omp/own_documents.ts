/**
 * The documents that saber has itself, under saber://: results, schemas, the plan, knowledge, saved queries, artifacts and
 * transcripts of helpers. Two kinds can be written: knowledge and saved queries.
 */
import type { OpenDatabases } from "../../app.ts";
import type { Toolbox } from "../../agent/toolbox.ts";
import { Fault } from "../../base/fault.ts";
import { toJson } from "../../base/json.ts";
import type { KnowledgeBase } from "../../store/knowledge_base.ts";
import type { Shelf } from "../../store/shelf.ts";
import { readableText } from "./readable_text.ts";
import { isTableFormat, rowsAsText } from "./rows_as_text.ts";
import type { Subagents } from "./subagents.ts";
import type { Todos } from "./todos.ts";

export const OWN_SCHEMES =
  "saber://result/ID?offset=0&limit=200&format=json|csv|md, saber://schema/DATABASE/TABLE, " +
  "saber://sql/NAME.sql, saber://knowledge/NAME, saber://artifact/ID, saber://subagent/ID, saber://todo";

export interface OwnDocumentsOptions {
  readonly databases: OpenDatabases;
  readonly shelf: Shelf;
  /** The tools of the databases. */
  readonly inner: Toolbox;
  readonly todos: Todos;
  readonly subagents: Subagents;
  knowledge(): Promise<KnowledgeBase>;
  /** The folder of the saved queries. */
  readonly queries: string;
}

interface Call {
  readonly signal: AbortSignal;
  readonly callId: string;
}

const MAX_PAGE = 5000;
const MAX_ARTIFACT_BYTES = 8 << 20;
const QUERY_NAME = /^[\w-]{1,100}(?:\.sql)?$/;

export class OwnDocuments {
  readonly #options: OwnDocumentsOptions;

  constructor(options: OwnDocumentsOptions) {
    this.#options = options;
  }

  /** `rest`: the address behind saber://. Throws Fault: unavailable, bad_state, and what a database throws. */
  async read(rest: string, call: Call): Promise<string> {
    const [path = "", query = ""] = rest.split("?", 2);
    const [kind = "", first = "", second = ""] = path.split("/").map(decoded);
    switch (kind) {
      case "result":
        return await this.#result(first, new URLSearchParams(query));
      case "schema":
        return await this.#schema({ database: first, table: second }, call);
      case "todo":
        return toJson({ phases: this.#options.todos.phases });
      case "knowledge":
        return await this.#knowledge(first);
      case "sql":
        return first === "" ? await this.#listQueries() : await this.#query(first);
      case "artifact":
        return await this.#artifact(first);
      case "subagent":
        return readableText(
          (await this.#options.subagents.read({ subagentId: first, fromByte: 0 })).messages,
        );
      default:
        throw new Fault("unavailable", `Cannot read saber://${rest}: there are only ${OWN_SCHEMES}.`);
    }
  }

  /** Whether there can be a document to be written. Throws Fault `unavailable` where there cannot. */
  requireWritable(rest: string): void {
    const [kind = "", name = "", ...more] = rest.split("/").map(decoded);
    const isNamed = kind === "sql" ? QUERY_NAME.test(name) : kind === "knowledge" && name.trim() !== "";
    if (isNamed && more.length === 0) return;
    const which = "saber://sql/NAME.sql and saber://knowledge/NAME can be written";
    throw new Fault("unavailable", `Cannot write saber://${rest}: only ${which}.`);
  }

  /** Replaces the document. Throws Fault: unavailable, bad_state. */
  async write(rest: string, content: string): Promise<void> {
    this.requireWritable(rest);
    const [kind, name = ""] = rest.split("/").map(decoded);
    if (kind === "knowledge") return await this.#learn(name, content);
    try {
      await Deno.mkdir(this.#options.queries, { recursive: true });
      await Deno.writeTextFile(this.#pathOf(name), content);
    } catch (cause) {
      const next = `See that ${this.#options.queries} can be written.`;
      throw new Fault("unavailable", `Cannot save the query: its file cannot be written. ${next}`, { cause });
    }
  }

  async #result(id: string, range: URLSearchParams): Promise<string> {
    const format = range.get("format") ?? "json";
    if (!isTableFormat(format)) {
      throw new Fault("unavailable", "Cannot read the result: format is json, csv or md.");
    }
    const offset = Math.max(0, Math.floor(Number(range.get("offset") ?? 0)) || 0);
    const limit = Math.min(MAX_PAGE, Math.max(1, Math.floor(Number(range.get("limit") ?? 200)) || 200));
    const { rows, result } = await this.#options.shelf.results.page(id, { offset, limit });
    return rowsAsText(rows, { format, columns: result.columns });
  }

  async #schema(wanted: { readonly database: string; readonly table: string }, call: Call): Promise<string> {
    const { inner, databases } = this.#options;
    const names = databases.list.map(({ name }) => name);
    if (wanted.database !== "" && !names.includes(wanted.database)) {
      const state = `there is no database ${wanted.database}, only ${names.join(", ")}`;
      throw new Fault("unavailable", `Cannot read the schema: ${state}.`);
    }
    const table = wanted.table === "" ? {} : { table_pattern: wanted.table };
    const name = names.length > 1 ? { db_name: wanted.database } : {};
    return (await inner.call("introspect_schema", { ...table, ...name }, call)).json;
  }

  /** By name or id; all names without one. */
  async #knowledge(wanted: string): Promise<string> {
    const base = await this.#options.knowledge();
    const all = await Promise.all(this.#options.databases.list.map(({ name }) => base.entries(name)));
    const entries = all.flat();
    if (wanted === "") {
      return entries.map(({ name }) => `saber://knowledge/${encodeURIComponent(name)}`).join("\n");
    }
    const found = entries.find(({ id, name }) => id === wanted || name === wanted);
    if (!found) {
      throw new Fault(
        "unavailable",
        `Cannot read the knowledge: nothing is called ${wanted}. See saber://knowledge.`,
      );
    }
    return found.sql === null ? found.description : `${found.description}\n\n${found.sql}`;
  }

  /** About the first database; what saber knew under this name is replaced. */
  async #learn(name: string, description: string): Promise<void> {
    const { databases, knowledge } = this.#options;
    const database = databases.selectors === null ? undefined : databases.list[0]?.name;
    if (database === undefined) {
      const next =
        "Save the connection with 'saber db add' first, or keep a query under saber://sql/NAME.sql.";
      throw new Fault("bad_state", `Cannot write knowledge: it belongs to saved connections. ${next}`);
    }
    const store = await (await knowledge()).store();
    for (const entry of store.list(database)) if (entry.name === name) await store.remove(entry.id);
    await store.add({ database, name, description, sql: null, source: "the agent" });
  }

  async #listQueries(): Promise<string> {
    const files = await Array.fromAsync(Deno.readDir(this.#options.queries)).catch(() => []);
    const names = files.map(({ name }) => name).filter((name) => name.endsWith(".sql")).sort();
    return names.map((name) => `saber://sql/${name}`).join("\n");
  }

  async #query(name: string): Promise<string> {
    if (!QUERY_NAME.test(name)) {
      throw new Fault("unavailable", "Cannot read the query: its name has letters, digits, - and _ alone.");
    }
    return await Deno.readTextFile(this.#pathOf(name)).catch((cause) => {
      const next = "See saber://sql for those that there are.";
      throw new Fault("unavailable", `Cannot read the query: none is saved as ${name}. ${next}`, { cause });
    });
  }

  #pathOf(name: string): string {
    return `${this.#options.queries}/${name.replace(/\.sql$/, "")}.sql`;
  }

  async #artifact(id: string): Promise<string> {
    const artifact = await this.#options.shelf.artifacts.find(id);
    const isText = /^text\/|json/.test(artifact.mediaType) && artifact.size <= MAX_ARTIFACT_BYTES;
    return isText ? await Deno.readTextFile(new URL(artifact.uri)) : toJson({ ...artifact });
  }
}

/** A part of an address as it was meant; as it stands where it is no valid one. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
