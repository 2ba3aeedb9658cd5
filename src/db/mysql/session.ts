/**
 * One connection to a server. It is used by one statement at a time, and never comes back once it has ended.
 * Statements go through the server's prepared form: it refuses a second statement in the text, says what is wrong
 * before anything runs, and sends numbers as they are (as text, the server rounds a FLOAT to six digits).
 */
import type { FieldPacket, PrepareStatementInfo } from "mysql2";
import { ConnectionProblem } from "../connection_faults.ts";
import { PacedStream } from "../paced_stream.ts";
import { errorNumber } from "./faults.ts";
import { type Link, logIn, type LoginOptions } from "./login.ts";
import type { Endpoint } from "./socket.ts";

/** Who is told what a statement gives. One of `ended` and `failed` comes, once and last. */
export interface Sink {
  /** Once for each result; a procedure may give several. */
  columns(fields: readonly FieldPacket[]): void;
  row(values: readonly unknown[]): void;
  /** `affected`: rows changed, from a statement without rows of its own. */
  ended(affected?: number): void;
  failed(error: unknown): void;
}

/** A statement that the server has looked at and not yet run. */
export interface Prepared {
  readonly sql: string;
  /** Left out where the server can't prepare such a statement; it then runs as text. */
  readonly statement?: PrepareStatementInfo;
}

type Callback<Result> = (error: Error | null, result: Result) => void;

/** How long a connection that is being closed may take to say goodbye, in milliseconds. */
const GOODBYE_MS = 300;

/** A bit of the server's status (MySQL: mysql_com.h, SERVER_STATUS_IN_TRANS). */
const IN_TRANSACTION = 1;

/** The server's number for a statement that has no prepared form. */
const NOT_PREPARABLE = 1295;

export class Session {
  readonly endpoint: Endpoint;
  readonly #link: Link;
  readonly #closed: Promise<void>;
  #isOpen = true;
  /** Settles when the session is ready for the next statement. */
  #ending: Promise<void> = Promise.resolve();
  /** Told when the connection ends while something is under way. */
  #onEnd: ((error: unknown) => void) | undefined;

  private constructor(link: Link, endpoint: Endpoint) {
    this.endpoint = endpoint;
    this.#link = link;
    link.connection.on("error", (error: unknown) => this.#ended(error));
    this.#closed = new Promise((resolve) => link.socket.once("close", () => resolve()));
    void this.#closed.then(() => this.#ended(new ConnectionProblem("the server closed the connection")));
  }

  /** Throws Fault: unreachable, auth_failed, bad_target, busy; or the signal's reason. */
  static async open(endpoint: Endpoint, options: LoginOptions): Promise<Session> {
    return new Session(await logIn(endpoint, options), endpoint);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The connection's number on the server, for KILL. */
  get threadId(): number {
    return this.#link.connection.threadId;
  }

  /** Does all of `work`; the connection ends when the signal aborts, or when it fails. */
  async whole(signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
    const cut = () => void this.destroy();
    signal.addEventListener("abort", cut);
    try {
      await work();
    } catch (error) {
      await this.destroy();
      throw error;
    } finally {
      signal.removeEventListener("abort", cut);
    }
  }

  /** All rows of a statement of ours, sent as text. Throws the server's error, or that the connection has ended. */
  async rows(sql: string): Promise<readonly (readonly unknown[])[]> {
    const found = await this.#pending<unknown>((done) => this.#link.connection.query(sql, done));
    return Array.isArray(found) ? found : [];
  }

  /** Whether a transaction is open; the server says so with every answer that has no rows. */
  async isInTransaction(): Promise<boolean> {
    const header = await this.#pending<unknown>((done) => this.#link.connection.query("DO 0", done));
    return typeof header === "object" && header !== null && "serverStatus" in header &&
      (Number(header.serverStatus) & IN_TRANSACTION) !== 0;
  }

  /** Undoes what is open and forgets what was set. Throws the server's error, or that the connection has ended. */
  async reset(): Promise<void> {
    await this.#pending<unknown>((done) => this.#link.connection.reset((error) => done(error, undefined)));
  }

  /** Throws the server's error, or that the connection has ended. */
  async prepare(sql: string): Promise<Prepared> {
    await this.#ending;
    try {
      const statement = await this.#pending<PrepareStatementInfo>((done) =>
        this.#link.connection.prepare(sql, done)
      );
      return { sql, statement };
    } catch (error) {
      if (errorNumber(error) === NOT_PREPARABLE) return { sql };
      throw error;
    }
  }

  /** Runs a prepared statement and forgets it. */
  start({ sql, statement }: Prepared, sink: Sink): void {
    const { connection } = this.#link;
    let affected: number | undefined;
    const end = (tell: () => void) => {
      if (this.#onEnd !== sink.failed) return;
      this.#onEnd = undefined;
      if (this.#isOpen) connection.unprepare(sql);
      tell();
    };
    this.#onEnd = sink.failed;
    const command = statement === undefined ? connection.query(sql) : statement.execute([]);
    command.on("fields", (fields: FieldPacket[] | undefined) => {
      if (fields !== undefined) sink.columns(fields);
    });
    command.on("result", (result: unknown) => {
      if (Array.isArray(result)) sink.row(result);
      else affected = affectedRows(result);
    });
    command.on("error", (error: unknown) => end(() => sink.failed(error)));
    command.on("end", () => end(() => sink.ended(affected)));
  }

  /** Leaves the transaction at once, so that nothing is held while nobody asks, and begins the next one. */
  endReading(): void {
    if (!this.#isOpen) return;
    this.#ending = this.rows("ROLLBACK AND CHAIN").then(() => {}, () => this.destroy());
  }

  /** Stops reading from the server, which then waits. */
  pause(): void {
    this.#link.connection.pause();
    if (this.#link.socket instanceof PacedStream) this.#link.socket.hold();
  }

  resume(): void {
    if (this.#link.socket instanceof PacedStream) this.#link.socket.release();
    this.#link.connection.resume();
  }

  /** Ends the connection at once; resolves when the system has closed it. */
  async destroy(): Promise<void> {
    this.#link.socket.destroy();
    this.#ended(new ConnectionProblem("the connection was closed"));
    await this.#closed;
  }

  /** Says goodbye to the server and ends the connection; an idle one only. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    const timer = setTimeout(() => void this.destroy(), GOODBYE_MS);
    this.#link.connection.end();
    await this.#closed;
    clearTimeout(timer);
  }

  #ended(error: unknown): void {
    this.#isOpen = false;
    const tell = this.#onEnd;
    this.#onEnd = undefined;
    tell?.(error);
  }

  #pending<Result>(start: (done: Callback<Result>) => unknown): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (!this.#isOpen) return reject(new ConnectionProblem("the connection has ended"));
      this.#onEnd = reject;
      start((error, result) => {
        if (this.#onEnd === reject) this.#onEnd = undefined;
        if (error === null) resolve(result);
        else reject(error);
      });
    });
  }
}

function affectedRows(header: unknown): number | undefined {
  return typeof header === "object" && header !== null && "affectedRows" in header &&
      typeof header.affectedRows === "number"
    ? header.affectedRows
    : undefined;
}
