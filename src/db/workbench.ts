/**
 * What an engine offers to people who edit a database with a tool of their own (saber plugin): connections on which
 * nothing is judged, and the engine's SQL for looking, changing and defining. Types only; the SQL of an engine is data in
 * the engine's own folder.
 */
import type { Cursor, EngineName, Lexis } from "./driver.ts";
import type { TlsSettings } from "./tls.ts";

/** Where a database is, as a form asks for it. Paths may begin with `~`. */
export interface Address {
  /** One host or several, with commas; a folder or a file that begins with "/" is a socket. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** A database's name; the path of a file or a folder for the engines that have files. */
  readonly database?: string | undefined;
  /** A URL, which goes before the parts above. */
  readonly url?: string | undefined;
  readonly tls: TlsSettings;
  /** The name that a certificate must have, when the host is the end of a tunnel. */
  readonly tlsServerName?: string | undefined;
  /** A server that asks for the password itself gets it, over TLS alone (MySQL). */
  readonly clearPassword?: boolean | undefined;
  /** `||` puts texts together (MySQL). */
  readonly pipesConcatenate?: boolean | undefined;
  /** Schemas that names without one are looked for in, and the zone of times, where the engine has such settings. */
  readonly searchPath?: string | undefined;
  readonly timeZone?: string | undefined;
  /** Settings for the server's process, as libpq's `options` has them: `-c name=value`. */
  readonly options?: string | undefined;
  /** Which of several hosts will do, in the words of libpq's `target_session_attrs`. */
  readonly sessionKind?: string | undefined;
}

export interface WorkOptions {
  /** With `read`, the server itself refuses what writes. */
  readonly access: "read" | "write";
  /** Longest time of one statement, kept by the server where it can, in milliseconds; Infinity for none. */
  readonly statementMs: number;
  readonly connectMs: number;
  readonly home: string;
  readonly applicationName: string;
  /** SQL that every new connection runs first; one that fails fails the connection. */
  readonly startup: readonly string[];
}

/** The connections of one address. */
export interface WorkSource {
  /** How many connections may be open at once at most, where the engine says. */
  readonly most?: number;
  /** Throws Fault: unreachable, auth_failed, bad_target, busy; the signal's reason. */
  connect(signal: AbortSignal): Promise<WorkSession>;
  /** Ends what the connections share, after they have ended. Never throws. */
  close(): Promise<void>;
}

/** One connection of a person. It runs one statement at a time; what the statement sets or begins goes on after it. */
export interface WorkSession {
  readonly isOpen: boolean;
  /**
   * Runs one statement, as far as its first row or its end. Aborting stops it on the server and may end the connection.
   * Throws Fault.
   */
  run(sql: string, signal: AbortSignal): Promise<Cursor>;
  /** Whether a transaction is open, as the engine says, after the last statement's end. */
  inTransaction(): Promise<boolean>;
  /** Undoes what is open and forgets what was set; ends the connection where that is not possible. Never throws. */
  reset(): Promise<void>;
  /** Ends the connection at once; what is open is undone. */
  destroy(): void;
  /** Ends an unused connection politely, in a bounded time. */
  close(): Promise<void>;
}

/** What a question or a change is about; a schema of null is the one that the engine looks in by itself. */
export interface Scope {
  readonly schema: string | null;
  /** Left out: all of them. */
  readonly name?: string;
}

/**
 * Questions to the catalogue; the columns of each answer are given in order. Yes and no are booleans, or 1 and 0.
 * A question that an engine leaves out has no answer there.
 */
export interface CatalogSql {
  /** Name. */
  databases?(): string;
  /** Name. */
  schemas?(): string;
  /** Name, comment. */
  tables(scope: Scope): string;
  /**
   * Table, name, type, in the key, nullable, numbers itself, generated, default, length in characters, comment, and for a
   * type of listed values the list, as `enum('a','b')`; an engine whose types read so leaves it out.
   */
  columns(scope: Scope): string;
  /** Table, name, column, referenced table, referenced column, on delete, on update. */
  foreignKeys(scope: Scope): string;
  /** Table, name, column or expression, unique, primary, place from 1, is an expression. */
  indexes(scope: Scope): string;
  /** Name. */
  views(scope: Scope): string;
  /** The whole CREATE VIEW. */
  viewDefinition(scope: Scope): string;
  /** Name. */
  materializedViews?(scope: Scope): string;
  materializedViewDefinition?(scope: Scope): string;
  /** Name, FUNCTION or PROCEDURE. */
  routines?(scope: Scope): string;
  /** Name, type, IN, OUT or INOUT, place. */
  routineParameters?(scope: Scope): string;
  /** One row for each that has the name. */
  routineDefinition?(scope: Scope & { readonly kind: string }): string;
  /** The routine's name with its arguments, one row for each that has the name; left out where one name is one routine. */
  routineSignatures?(scope: Scope & { readonly kind: string }): string;
  /** Name, table, event, timing. */
  triggers?(scope: Scope): string;
  triggerDefinition?(scope: Scope & { readonly table: string | null }): string;
  /** Statements, one a row, that make the table anew. */
  tableDefinition(scope: Scope & { readonly name: string }): string;
}

/** What a column is for the values that are written to it. */
export type ColumnKind =
  | "text"
  | "binary"
  | "json"
  | "spatial"
  | "boolean"
  | "number"
  | "list"
  | "struct"
  | "other";

/** How values stand in statements. */
export interface ValueSql {
  kind(type: string): ColumnKind;
  /** A text, number or document as an expression of exactly this type. */
  literal(text: string, type: string): string;
  /** A text for a column of a row that is there, where the value in it says what the text means; left out where the type does. */
  textIn?(text: string, column: { readonly name: string; readonly type: string }): string;
  bytes(value: Uint8Array, type: string): string;
  /** A number of the host in a column of no numbers, where the engine keeps its class; left out where text will do. */
  number?(numeral: string): string;
  /** A list or an object, given as JSON, as an expression of this type; left out where the engine has none. */
  nested?(json: string, type: string): string;
  /** The text that stands for bytes in that JSON; undefined where the type holds none. */
  nestedBytes?(value: Uint8Array, type: string): string | undefined;
  /** WKT, with its reference system where it has one. */
  geometry(wkt: string, options: { readonly srid: number | null; readonly column: string }): string;
  /** Whether a column holds the value; `value` is an expression of the column's type. */
  equals(column: string, options: { readonly value: string; readonly type: string }): string;
  /** Whether the bytes of a column begin so and have this length. */
  startsWith(column: string, options: { readonly prefix: Uint8Array; readonly length: number }): string;
  /** A column of one bit is the number 0 or 1. */
  readonly bitIsNumber?: true;
  /** An INSERT's tail for a row of defaults alone. */
  readonly defaults: string;
  /** What stands for a column's default value in INSERT and UPDATE; left out where the engine has no word for it. */
  readonly defaultWord?: string;
}

/** A column as a form describes it. */
export interface ColumnDefinition {
  readonly name: string;
  readonly data_type: string;
  readonly is_nullable: boolean;
  readonly is_pk: boolean;
  readonly is_auto_increment: boolean;
  readonly default_value?: string | null | undefined;
}

/** A table by its name, and the schema that it is in. */
export interface TableName {
  readonly schema: string | null;
  readonly table: string;
}

export interface ForeignKeyDefinition extends TableName {
  readonly name: string;
  readonly column: string;
  readonly refTable: string;
  readonly refColumn: string;
  readonly onDelete: string | null;
  readonly onUpdate: string | null;
}

/** Definitions as statements without semicolons. Each throws Fault `unavailable` for what the engine cannot do. */
export interface DefinitionSql {
  createTable(table: TableName, columns: readonly ColumnDefinition[]): string[];
  addColumn(table: TableName, column: ColumnDefinition): string[];
  alterColumn(
    table: TableName,
    change: { readonly from: ColumnDefinition; readonly to: ColumnDefinition },
  ): string[];
  createIndex(
    table: TableName,
    index: { readonly name: string; readonly columns: readonly string[]; readonly unique: boolean },
  ): string[];
  createForeignKey(key: ForeignKeyDefinition): string[];
  dropIndex(table: TableName, name: string): string[];
  dropForeignKey(table: TableName, name: string): string[];
  /** `query` is what follows AS. */
  createView(view: TableName, query: string): string[];
  replaceView(view: TableName, query: string): string[];
  dropView(view: TableName): string[];
  refreshMaterializedView?(view: TableName): string[];
  dropTrigger?(table: TableName, trigger: string): string[];
  dropRoutine?(routine: TableName, kind: string): string[];
}

/** A value of a routine's call: an expression, or NULL. */
export interface RoutineArgument {
  readonly name: string;
  readonly mode: string;
  readonly value: string | null;
  /** The value is SQL, not text. */
  readonly is_raw: boolean;
}

export interface RoutineSql {
  call(
    routine: TableName,
    options: { readonly kind: string; readonly args: readonly RoutineArgument[] },
  ): string;
  template(kind: string, schema: string | null): string;
}

/** A user of a server; where users belong to hosts, the host too. */
export interface User {
  readonly user: string;
  readonly host: string;
}

/** What privileges are about: all that is missing is meant. */
export interface PrivilegeScope {
  /** A database, or a schema where schemas have privileges. */
  readonly database: string | null;
  readonly table: string | null;
}

/** The words of privileges by what they are about. */
export interface PrivilegeWords {
  readonly global: readonly string[];
  readonly database: readonly string[];
  readonly table: readonly string[];
}

export interface UserSql {
  readonly words: PrivilegeWords;
  /** User, host, locked. */
  list(): string;
  /** The statements that grant what the user has, in the last column. */
  grants(user: User): string;
  /** Database, table, privilege. */
  privileges(user: User): string;
  create(user: User, password: string): string[];
  drop(user: User): string[];
  setPassword(user: User, password: string): string[];
  /** `words` are among those of the scope. */
  apply(
    user: User,
    change: PrivilegeScope & { readonly words: readonly string[]; readonly isGrant: boolean },
  ): string[];
}

/** One step of a plan. */
export interface PlanNode {
  readonly node_type: string;
  readonly relation?: string;
  readonly startup_cost?: number;
  readonly total_cost?: number;
  readonly plan_rows?: number;
  readonly actual_rows?: number;
  readonly actual_time_ms?: number;
  readonly actual_loops?: number;
  readonly buffers_hit?: number;
  readonly buffers_read?: number;
  readonly filter?: string;
  readonly index_condition?: string;
  readonly join_type?: string;
  readonly hash_condition?: string;
  readonly extra: { readonly [key: string]: string | number | boolean };
  readonly children: readonly PlanNode[];
}

export interface Plan {
  readonly root: PlanNode;
  readonly planningMs?: number;
  readonly executionMs?: number;
  /** Times and rows are measured, not estimated. */
  readonly isMeasured: boolean;
}

export interface PlanSql {
  /** The ways to ask, the best first; the next is tried where the server does not know one. */
  explain(sql: string, options: { readonly analyze: boolean }): readonly string[];
  /** Reads the answer: its rows as text. */
  read(rows: readonly (readonly string[])[], options: { readonly analyze: boolean }): Plan;
}

export interface Workbench {
  readonly engine: EngineName;
  readonly lexis: Lexis;
  /** Looks at files at once; servers are first spoken to by a connection. Throws Fault `bad_target`. */
  open(address: Address, options: WorkOptions): Promise<WorkSource>;
  quote(name: string): string;
  /** A table's name with its schema, if it has one. */
  qualify(table: TableName): string;
  /** Makes names without a schema mean those of this one, until the session is reset. */
  useSchema?(schema: string): string;
  /** Nothing that it opens can be changed. */
  readonly readsOnly?: true;
  /** Whether the server takes no changes from this user; left out where it always does. */
  readonly isReadOnly?: string;
  /** What a connection is asked to see that it is alive, and what the server is. */
  readonly version: string;
  readonly catalog: CatalogSql;
  /** The expression at a place of an index, from 1, where the catalogue tells only the index's own text. */
  indexExpression?(definition: string, place: number): string;
  readonly values: ValueSql;
  readonly definitions: DefinitionSql;
  readonly routines?: RoutineSql;
  readonly users?: UserSql;
  readonly plans: PlanSql;
}
