/**
 * The contract between the program and a database engine. Types only: engines implement them, guarded.ts wraps them,
 * databases.ts opens them. It knows no protocol and no model.
 */
import type { Row, ValueStyle, WrittenRow } from "./values.ts";

/** The engines; each is one entry of registry.ts. `files` is DuckDB over CSV, TSV, Parquet and JSON lines files. */
export type EngineName = "sqlite" | "duckdb" | "files" | "postgres" | "mysql";

/** What a `-d` value means, resolved once at start. Paths are absolute. */
export type Target = DatabaseFile | DataFiles | Server;

interface TargetBase {
  /** The name that tools and hosts use for this database; unique among the selected ones. */
  readonly name: string;
  /** A person's words about the database, from its saved connection. */
  readonly description?: string;
  /** Schemas hidden from discovery, besides the engine's own. */
  readonly excludeSchemas: readonly string[];
  /** The target comes from the saved connection of its name. */
  readonly saved?: true;
}

export interface DatabaseFile extends TargetBase {
  readonly engine: "sqlite" | "duckdb";
  /** Absolute path, or `:memory:`. */
  readonly path: string;
}

export interface DataFiles extends TargetBase {
  readonly engine: "files";
  readonly files: readonly DataFile[];
}

export interface DataFile {
  /** Absolute path. */
  readonly path: string;
  /** The table (in schema `main`) that the file becomes; unique in its target. */
  readonly table: string;
  readonly format: "csv" | "parquet" | "json";
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly header?: boolean;
  /** Of a text file: all of it is looked at when it is opened, whatever its size. */
  readonly sample?: "all";
}

export interface Server extends TargetBase {
  readonly engine: "postgres" | "mysql";
  /**
   * Tried in order; none: the engine's own default place. A host that starts with "/" is a socket: its folder
   * (PostgreSQL) or its file (MySQL).
   */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly tls: Tls;
}

export interface Tls {
  readonly mode: "disable" | "prefer" | "require" | "verify-ca" | "verify-full";
  /** Absolute paths of PEM files. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** The name that the server's certificate must have, where it is not the host's. */
  readonly serverName?: string;
  /** A server that asks for the password itself gets it, once the connection is encrypted (MySQL). */
  readonly clearPassword?: true;
}

/** How the SQL text of an engine is divided into tokens; data for lexer.ts. */
export interface Lexis {
  /** Quotes around names: `"`, "`" or "[" (closed by "]"). */
  readonly nameQuotes: readonly string[];
  /** Quotes around text: `'`, and `"` where the engine reads it so. */
  readonly textQuotes: readonly string[];
  /** A backslash escapes inside text: never, in every text, or only in text with the prefix E. */
  readonly backslash: "never" | "always" | "e-prefix";
  readonly dollarQuotes: boolean;
  readonly nestedComments: boolean;
  readonly hashComments: boolean;
  /** `--` begins a comment only before white space (MySQL). */
  readonly dashCommentNeedsSpace: boolean;
  /** Comments that the server executes: their mere presence is refused (MySQL). */
  readonly executableComments: boolean;
  /** Characters that begin a parameter, where the engine would silently read NULL for one without a value (SQLite). */
  readonly parameters?: readonly string[];
  /** `||` is OR, not concatenation (MySQL). */
  readonly pipesAreOr?: boolean;
  /** Words that are values by themselves here, and may be a column's name on other engines; upper case. */
  readonly values?: readonly string[];
}

/** What differs between engines, as data. */
export interface Dialect {
  readonly name: "sqlite" | "duckdb" | "postgres" | "mysql";
  readonly displayName: string;
  readonly lexis: Lexis;
  /** First words of statements that read, upper case: SELECT, WITH, VALUES, FROM (DuckDB) … */
  readonly readWords: readonly string[];
  /**
   * The engine's own parser, where a library has it. Throws a Fault for what the statement must not do.
   * Engines that judge a statement when it is prepared leave this out.
   */
  judge?(sql: string, access: Access): Promise<void>;
}

/** What a session may do; fixed at start. */
export type Access = "read" | "write";

export interface OpenOptions {
  readonly access: Access;
  /** How long opening and one statement (until its first row) may take, in milliseconds. */
  readonly timeoutMs: number;
}

export interface Driver {
  /** Servers connect at the first use, files are checked at once. Throws Fault: unreachable, auth_failed, bad_target, busy. */
  open(target: Target, options: OpenOptions): Promise<Database>;
}

/** A database that is open. Calls may overlap. Every failure is a Fault. */
export interface Database {
  readonly dialect: Dialect;
  /** Begins one statement. Aborting the signal stops the work in the engine, also while rows are read. */
  run(query: Query): Promise<Cursor>;
  /** Tables and views that discovery may show, ordered by schema and name. */
  tables(request: CatalogRequest): Promise<readonly Table[]>;
  /** The same tables with all their parts. */
  describe(request: CatalogRequest): Promise<readonly TableDetail[]>;
  /**
   * What a statement would change if it were run, as far as that is known within two seconds; undefined where it changes
   * no rows, or nothing is known. Set by the guard; never throws.
   */
  touches?(request: { readonly sql: string; readonly signal: AbortSignal }): Promise<Touched | undefined>;
  /** Ends everything, also what hangs; never throws, and takes at most a second. */
  close(): Promise<void>;
}

export interface Touched {
  /** The table as the statement spells it. */
  readonly table: string;
  /** How many rows it would change now; undefined where that is not known. */
  readonly rows: number | undefined;
}

export interface Query {
  readonly sql: string;
  readonly caps: RowCaps;
  readonly signal: AbortSignal;
  /** The rows are wanted as JSON text in this style, which an engine may do where it has them. */
  readonly written?: ValueStyle;
  /** For a statement that runs after others and before others, which an engine may take before its turn. */
  readonly place?: LinePlace;
}

/**
 * What is to be known of a statement that runs after others. An engine which takes some before their turn leaves it to whoever
 * gives the place how long one may take; any other tells nothing.
 */
export interface LinePlace {
  /** The engine has taken the statement: the next one can be asked for. */
  taken(): void;
  /** It waits for others in the engine: its time does not pass. */
  waits(): void;
  /** Its turn has come. */
  begun(): void;
}

/** How many rows a statement may return: without a LIMIT of its own, and with one. Infinity, in both, is no cap. */
export interface RowCaps {
  readonly unlimited: number;
  readonly limited: number;
}

/** Columns and rows of a statement that has begun. Rows come in batches and are read at most once. */
export interface Cursor {
  readonly columns: readonly Column[];
  /** Leaving the loop early stops the statement. */
  readonly batches: AsyncIterable<readonly Row[]>;
  /** In the place of the batches, where the engine writes rows as it was asked to. */
  readonly written?: AsyncIterable<readonly WrittenRow[]> | undefined;
  /** Stops the statement if it still runs; for a cursor whose rows nobody wants. */
  close(): Promise<void>;
  /** Rows changed by a statement that writes; known once the batches have ended. */
  readonly affected?: number | undefined;
  /** What a procedure gives after its first result; known once the batches have ended. */
  readonly further?: readonly FurtherResult[] | undefined;
  /** Set by the guard. */
  readonly limit?: LimitReport;
}

export interface FurtherResult {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Rows are left out, since there were too many to hold. */
  readonly isCut: boolean;
}

export interface LimitReport {
  /** The guard added a limit because the statement had none. */
  readonly added: boolean;
  /** More rows exist than were handed out; known once the batches have ended. */
  readonly truncated: boolean;
}

export interface Column {
  /** As the engine names it: may be empty, may repeat. */
  readonly name: string;
  /** The engine's name of the type, "" where it has none. */
  readonly type: string;
}

export interface CatalogRequest {
  /** SQL LIKE on `table` or `schema.table`; a pattern with a dot matches schema and table apart. */
  readonly pattern?: string;
  readonly signal: AbortSignal;
}

export interface Table {
  readonly schema: string;
  readonly name: string;
  readonly kind:
    | "table"
    | "view"
    | "materialized view"
    | "partitioned table"
    | "foreign table"
    | "virtual table";
  readonly comment?: string;
  /** The catalog's estimate, where it keeps one. */
  readonly rowEstimate?: number;
}

export interface TableDetail extends Table {
  readonly columns: readonly ColumnDetail[];
  /** In key order; empty without a primary key. */
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly indexes: readonly Index[];
}

export interface ColumnDetail {
  readonly name: string;
  /** As a person writes it: `varchar(20)`, `numeric(10,2)`, `enum('a','b')`. */
  readonly type: string;
  readonly nullable: boolean;
  /** The default's expression. */
  readonly default?: string;
  /** The expression of a generated column, or `identity`. */
  readonly generated?: string;
  readonly comment?: string;
}

export interface ForeignKey {
  /** Paired with `references.columns` by position. */
  readonly columns: readonly string[];
  readonly references: {
    readonly schema: string;
    readonly table: string;
    readonly columns: readonly string[];
  };
}

export interface Index {
  readonly name: string;
  /** Column names or expressions, in order. */
  readonly columns: readonly string[];
  readonly unique: boolean;
  /** btree, hash, gin …, where the engine says. */
  readonly method?: string;
  /** The condition of a partial index. */
  readonly where?: string;
}
