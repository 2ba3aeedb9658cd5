/**
 * One open SQLite file inside the SQLite process, with everything switched off that reading or writing tables does not need.
 * Users' statements are compiled under the authorizer, the program's own are not.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { Fault } from "../../base/fault.ts";
import type { Access } from "../driver.ts";
import { ANSWER, isAllowed, isCall, isReading, isRowChange } from "./authorizer.ts";
import { isBlank } from "./blank_sql.ts";
import type { Failure, Statement } from "./protocol.ts";
import { CELL_FUNCTION, defineCellFunction, returnedRows, wrapReturning } from "./returned_text.ts";
import { locateSyntaxError } from "./syntax_position.ts";
import { ROW_FUNCTION, RowFunction, type RowReader, wrap } from "./whole_text.ts";

type Arguments = [action: number, first: string | null, second: string | null];

declare module "node:sqlite" {
  interface DatabaseSync {
    enableDefensive(on: boolean): void;
    function(name: string, callback: () => number): void;
    function(
      ...definition: [name: string, FunctionOptions, callback: (...values: unknown[]) => unknown]
    ): void;
    setAuthorizer(answer: (...ask: Arguments) => number): void;
  }
  interface StatementSync {
    setReturnArrays(on: boolean): void;
  }
}

/** Deno 2.9 has it, 2.7 does not; no part of the module's own declaration, as types that a library brings along declare it too. */
interface Limited {
  readonly limits?: { length: number; sqlLength: number; attach: number };
}

/**
 * Bytes of one value, of one row and of one statement. A text of this size is at most six times as long in JSON, which V8
 * still takes as one string.
 */
export const MAX_BYTES = 64 * 2 ** 20;

/** A failure that comes without SQLite's code: ours, or one while rows were read, of which only the words are left. */
export class Refusal extends Error {
  constructor(readonly kind: Failure["kind"], message = "") {
    super(message);
  }
}

/** Users' statements may not call them. */
const OWN_FUNCTIONS = [ROW_FUNCTION, CELL_FUNCTION];
const SQLITE_TOOBIG = 18;
const SQLITE_AUTH = 23;

/** SQLite's extended result code; 0 for a failure of another kind. */
export function errorCode(error: unknown): number {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) : 0;
}

export interface ConnectionOptions {
  readonly access: Access;
  /** How long to wait for another process's lock, in milliseconds. */
  readonly busyMs: number;
}

export class Connection {
  readonly #db: DatabaseSync & Limited;
  readonly #access: Access;
  readonly #pragmas: ReadonlySet<string>;
  readonly #rowFunction: RowFunction;
  /** What the authorizer knows of the statement at hand. */
  #phase: "own" | "work" | "compiling" | "running" = "own";
  #firstWrite: "rows" | "schema" | undefined;
  #isWrapping = false;
  #wasAsked = false;

  /** Throws SQLite's error when the file can't be opened; most damage shows only at the first statement. */
  constructor(path: string, { access, busyMs }: ConnectionOptions) {
    this.#access = access;
    const isMemory = path === ":memory:";
    this.#db = new DatabaseSync(path, { readOnly: access === "read" && !isMemory });
    this.#db.enableDefensive(true);
    // The constructor's own option for it has no effect on a file that is opened for reading.
    this.#db.exec(`PRAGMA busy_timeout = ${busyMs}`);
    // Functions with side effects must not hide in views, triggers and defaults of a file that somebody else made.
    this.#db.exec("PRAGMA trusted_schema = OFF");
    if (this.#db.limits) {
      this.#db.limits.length = MAX_BYTES;
      this.#db.limits.sqlLength = MAX_BYTES;
      this.#db.limits.attach = 0;
    }
    const names = this.#db.prepare("SELECT name FROM pragma_pragma_list").all();
    this.#pragmas = new Set(names.map(({ name }) => String(name)));
    this.#rowFunction = new RowFunction(this.#db);
    defineCellFunction(this.#db);
    this.#db.setAuthorizer((...ask) => this.#answer(ask));
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  /** Whether the statement compiled last changes rows, so that `changes()` counts them. */
  get changesRows(): boolean {
    return this.#firstWrite === "rows";
  }

  /** Compiles one statement. Throws SQLite's error, or a Refusal for no statement and for more than one. */
  prepare({ sql, own = false, work = false }: Statement): StatementSync {
    if (isBlank(sql)) throw new Refusal("empty");
    // SQLite would take the text up to it for the whole.
    if (sql.includes("\0")) throw new Refusal("nul");
    const statement = own || work ? this.#compileFree(sql, work ? "work" : "own") : this.#compile(sql);
    if (!isBlank(sql.slice(statement.sourceSQL.length))) throw new Refusal("several");
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    return statement;
  }

  /**
   * What the rows of the statement compiled last are to be read from, so that their texts are whole. EXPLAIN can't stand in
   * another statement, and has none with a NUL. Throws Refusal where RETURNING is written so that its texts would end at a NUL.
   */
  reader(
    statement: StatementSync,
    { own = false, names }: Pick<Statement, "own"> & { readonly names: readonly string[] },
  ): RowReader {
    if (own) return statement;
    const firstWrite = this.#firstWrite;
    this.#isWrapping = true;
    try {
      const width = names.length;
      const whole = this.#tryPrepare(wrap(statement.sourceSQL, width));
      this.#firstWrite = whole ? undefined : firstWrite;
      if (whole) return this.#rowFunction.reader(whole, width);
      return firstWrite === "rows" ? this.#returned(statement, names) : statement;
    } finally {
      this.#isWrapping = false;
    }
  }

  #returned(statement: StatementSync, names: readonly string[]): RowReader {
    const sql = this.#wrapReturning(statement.sourceSQL, names);
    if (sql === undefined) return statement;
    const whole = this.#tryPrepare(sql);
    if (whole?.columns().length !== names.length) throw new Refusal("cut");
    return returnedRows(whole);
  }

  #wrapReturning(sql: string, names: readonly string[]): string | undefined {
    try {
      return wrapReturning(sql, { names, isExpression: (text) => this.#isExpression(text) });
    } catch (error) {
      if (error instanceof Fault) throw new Refusal("cut");
      throw error;
    }
  }

  #tryPrepare(sql: string): StatementSync | undefined {
    const firstWrite = this.#firstWrite;
    try {
      const statement = this.#db.prepare(sql);
      statement.setReturnArrays(true);
      statement.setReadBigInts(true);
      return statement;
    } catch {
      return undefined;
    } finally {
      this.#firstWrite = firstWrite;
    }
  }

  /** Whether it can stand as an argument; whether its names exist is another question. */
  #isExpression(text: string): boolean {
    try {
      this.#db.prepare(`SELECT ${CELL_FUNCTION}(${text})`);
      return true;
    } catch (error) {
      return error instanceof Error && !error.message.endsWith("syntax error");
    }
  }

  #compileFree(sql: string, phase: "own" | "work"): StatementSync {
    this.#phase = phase;
    this.#firstWrite = undefined;
    return this.#db.prepare(sql);
  }

  /**
   * The first statement that names a virtual table makes its module prepare statements of its own, some of which write, and
   * SQLite asks about them as if they were the user's. So where something else than reading was asked for, the modules are
   * made ready and the statement is compiled once more.
   */
  #compile(sql: string): StatementSync {
    try {
      const statement = this.#compileGuarded(sql);
      if (this.#firstWrite === undefined) return statement;
    } catch (error) {
      if (errorCode(error) !== SQLITE_AUTH) throw error;
    }
    this.#connectVirtualTables();
    return this.#compileGuarded(sql);
  }

  #compileGuarded(sql: string): StatementSync {
    this.#phase = "compiling";
    this.#firstWrite = undefined;
    this.#wasAsked = false;
    const statement = this.#db.prepare(sql);
    // VACUUM compiles without any question, and some forms of it run without one
    if (!this.#wasAsked) throw new Refusal("unasked");
    this.#phase = "running";
    return statement;
  }

  #connectVirtualTables(): void {
    this.#phase = "own";
    const tables = this.#db.prepare("SELECT name FROM pragma_table_list WHERE type = 'virtual'").all();
    for (const { name } of tables) {
      try {
        this.#db.prepare("SELECT 1 FROM pragma_table_info(?)").get(String(name));
      } catch {
        // a module that this SQLite lacks fails the statements that name its tables
      }
    }
  }

  /** All rows in one array; undefined where that can't be bounded, or failed at a value longer than `valueBytes`. */
  fetchAtOnce(
    statement: RowReader,
    { parameters, valueBytes }: { parameters: readonly SQLInputValue[]; valueBytes: number },
  ): readonly unknown[] | undefined {
    const { limits } = this.#db;
    if (limits === undefined) return undefined;
    limits.length = valueBytes;
    try {
      return statement.all(...parameters);
    } catch (error) {
      if (errorCode(error) === SQLITE_TOOBIG) return undefined;
      throw error;
    } finally {
      limits.length = MAX_BYTES;
    }
  }

  /** Runs a statement of the program's own, for its effect. */
  exec(sql: string): void {
    this.#phase = "own";
    this.#db.exec(sql);
  }

  /**
   * Throws the failure that ended the rows of the last statement, if one did: the iterator of node:sqlite ends at a failure
   * as it does after the last row. SQLite keeps its words until the next call, and an attempt to define a function with a
   * name that is too long reports them without touching them.
   */
  throwIfFailed(): void {
    try {
      this.#db.function("_".repeat(256), () => 0);
    } catch (error) {
      if (error instanceof Error && error.message !== "not an error") {
        throw new Refusal("sqlite", error.message);
      }
    }
  }

  /** Where a statement stops being SQL, in characters from 1; undefined for a failure of another kind. */
  locate(sql: string, message: string): number | undefined {
    this.#phase = "compiling";
    return locateSyntaxError(sql, { message, compile: (text) => this.#db.prepare(text) });
  }

  close(): void {
    this.#db.close();
  }

  #answer([action, first, second]: Arguments): number {
    if (this.#phase === "own") return ANSWER.ok;
    if (!this.#isWrapping && isCall({ action, second }, OWN_FUNCTIONS)) return ANSWER.deny;
    this.#wasAsked = true;
    const ask = { action, first, second, isRunning: this.#phase === "running" };
    if (!isReading(action)) this.#firstWrite ??= isRowChange(ask) ? "rows" : "schema";
    if (this.#phase === "work") return ANSWER.ok;
    return isAllowed(ask, { access: this.#access, pragmas: this.#pragmas }) ? ANSWER.ok : ANSWER.deny;
  }
}
