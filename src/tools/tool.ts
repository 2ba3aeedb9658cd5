/**
 * The contract of a tool: something a model or an MCP client may do with the selected databases.
 * A tool does not know who called it: what differs between callers (row caps, how rows are kept) comes in its context.
 */
import type * as z from "zod/mini";
import type { Cursor, Database, LinePlace, RowCaps } from "../db/driver.ts";
import type { ValueStyle } from "../db/values.ts";
import type { Artifact } from "../store/artifacts.ts";
import type { ExportFormat } from "../store/exports.ts";
import type { KnowledgeEntry } from "../store/knowledge.ts";
import type { QueryResult } from "../store/results.ts";
import type { ObjectSchema } from "./json_schema.ts";

export interface Tool<Schema extends z.ZodMiniObject = z.ZodMiniObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Arguments besides `db_name`, which the service adds and resolves; a strict object. */
  readonly arguments: Schema;
  /** Whether the tool works on one database, which the caller names when several are selected. */
  readonly needsDatabase: boolean;
  /** It begins with one statement, which an engine may take before its turn. */
  readonly waitsInEngine?: true;
  /** Of use only for choosing among several databases; a model with one is not offered it. */
  readonly choosesDatabase?: true;
  /** Of use only where rows are kept and can be made files; it is not offered where the keeper cannot. */
  readonly exportsRows?: true;
  /** Of use only where something was written down about the databases. */
  readonly readsKnowledge?: true;
  /** The answer, with whole rows. */
  readonly output: ObjectSchema;
  /** Failures are Faults; the caller makes a readable result of them. */
  run(args: z.infer<Schema>, context: ToolContext): Promise<ToolOutput>;
}

export interface ToolContext {
  readonly databases: DatabaseSet;
  /** The chosen database's name; "" for a tool that needs none. */
  readonly database: string;
  readonly caps: RowCaps;
  /** UTF-8 bytes that the answer may have; a keeper of rows has a bound of its own. */
  readonly maxBytes: number;
  readonly rows: RowKeeper;
  /** For tools that read it. */
  readonly knowledge?: KnowledgeSource;
  readonly signal: AbortSignal;
  /** Given where calls run one after the other. */
  readonly place?: LinePlace | undefined;
  /** The model's id of this call, where there is one. */
  readonly callId?: string;
}

/** The selected databases; db/databases.ts implements it. */
export interface DatabaseSet {
  /** In the order of selection; the first is the primary. Known without opening anything. */
  readonly list: readonly DatabaseInfo[];
  /** Opens the database at the first use. Throws Fault: unknown_database, unreachable, auth_failed, bad_target, busy. */
  get(name: string): Promise<Database>;
}

export interface DatabaseInfo {
  readonly name: string;
  readonly dialect: "sqlite" | "duckdb" | "postgres" | "mysql";
  /** `PostgreSQL`, `MySQL`, `SQLite`, `DuckDB`. */
  readonly displayName: string;
  readonly description: string | null;
}

/** What people wrote down about the databases. */
export interface KnowledgeSource {
  /** The best first. Throws Fault `unavailable`. */
  search(
    database: string,
    options: { readonly query: string; readonly limit: number },
  ): Promise<readonly KnowledgeEntry[]>;
}

/** What becomes of a statement's rows: handed over whole, or stored and shown in part. */
export interface RowKeeper {
  /** Set by a keeper that wants rows as text alone. */
  readonly style?: ValueStyle;
  /** Reads the cursor to its end or its limit. Throws Fault: too_large, unsupported_value, timeout, cancelled … */
  keep(
    cursor: Cursor,
    about: { readonly database: string; readonly callId?: string; readonly signal: AbortSignal },
  ): Promise<ToolOutput>;
  /** Makes a file of rows that were stored. Throws Fault: unavailable, bad_request, cancelled. */
  export?(
    resultId: string,
    options: {
      readonly format: ExportFormat;
      readonly name: string | undefined;
      readonly signal: AbortSignal;
    },
  ): Promise<Artifact>;
}

/** A text and the inside of the JSON string that stands for it, each in pieces. */
export interface TextPieces {
  readonly plain: readonly string[];
  readonly quoted: readonly string[];
}

export interface ToolOutput {
  /** One JSON object on one line: what the caller reads. */
  readonly json: string;
  /** `json` once more, where its maker was asked for it. */
  readonly pieces?: TextPieces;
  readonly queryResult?: QueryResult;
  readonly artifacts?: readonly Artifact[];
}
