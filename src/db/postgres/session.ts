/**
 * One connection to a server. It is used by one statement at a time, and never comes back once it has ended.
 * It knows nothing of transactions; every value it hands out is the server's text.
 */
import { ConnectionProblem, isTimeout, stopFault } from "../connection_faults.ts";
import postgres from "postgres";
import type { Cell } from "../values.ts";
import { type CancelKey, CONNECT_MS, type Endpoint, openSocket, requestCancel } from "./socket.ts";
import { postgresFault } from "./faults.ts";
import { PacedSocket } from "./paced_socket.ts";

export interface Login {
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  /** Settings of the session, as `-c name=value`. */
  readonly options?: string;
}

/** The texts of one row; null is NULL. */
export type TextRow = readonly (string | null)[];

/** A column as the server describes it. */
export interface TextColumn {
  readonly name: string;
  /** The type's object identifier. */
  readonly type: number;
}

export interface Outcome {
  /** The first word of the server's command tag: SELECT, INSERT …; null for an empty statement. */
  readonly command: string | null;
  readonly count: number;
  readonly columns: readonly TextColumn[];
}

/** How long a connection that is being closed may take to say goodbye. */
const GOODBYE_MS = 500;

/** Types that the library would turn into values of its own; they are left as text. */
const AS_TEXT = {
  to: 25,
  from: [16, 17, 21, 23, 26, 114, 700, 701, 1082, 1114, 1184, 3802],
  serialize: (text: string) => text,
  parse: (text: string) => text,
};

/** What the library's types leave out. */
interface LibraryOptions extends postgres.Options<{ text: typeof AS_TEXT }> {
  readonly socket: () => Promise<PacedSocket>;
  readonly no_subscribe: true;
}

export class Session {
  readonly #endpoint: Endpoint;
  readonly #sql: postgres.Sql<{ text: string }>;
  readonly #socket: PacedSocket;
  readonly #key: CancelKey;

  private constructor(
    endpoint: Endpoint,
    { sql, socket, key }: { sql: postgres.Sql<{ text: string }>; socket: PacedSocket; key: CancelKey },
  ) {
    this.#endpoint = endpoint;
    this.#sql = sql;
    this.#socket = socket;
    this.#key = key;
  }

  /** Connects and logs in. Throws Fault: unreachable, auth_failed, bad_target, busy. */
  static async open(
    endpoint: Endpoint,
    { login, signal }: { login: Login; signal: AbortSignal },
  ): Promise<Session> {
    const sockets: PacedSocket[] = [];
    const dial = async () => {
      // the library dials again when a server closes during the login, and would do so for ever
      if (sockets.length > 0) {
        throw new ConnectionProblem("the server closed the connection during the login");
      }
      const socket = new PacedSocket(await openSocket(endpoint, signal));
      sockets.push(socket);
      return socket;
    };
    const end = () => sockets.forEach((socket) => socket.destroy());
    try {
      const sql = postgres(libraryOptions({ endpoint, login, dial }));
      const { state } = await untilAborted(sql.unsafe("SELECT 1"), { signal, stop: end });
      const [socket] = sockets;
      if (!socket) throw new ConnectionProblem("the server closed the connection");
      return new Session(endpoint, { sql, socket, key: state });
    } catch (error) {
      end();
      if (signal.aborted && !isTimeout(signal.reason)) throw stopFault(signal.reason);
      throw postgresFault(error, "connect to the database");
    }
  }

  get isOpen(): boolean {
    return this.#socket.isOpen;
  }

  /**
   * What the server said of the transaction when it was last ready: I none, T open, E failed; undefined when something else
   * came after that. The message is `Z`, its length 5, and the letter (PostgreSQL manual, 54.7, ReadyForQuery).
   */
  get transactionStatus(): string | undefined {
    const [type, ...rest] = this.#socket.tail;
    const [a, b, c, length, status] = rest;
    const isReady = type === 0x5a && a === 0 && b === 0 && c === 0 && length === 5;
    return isReady && status !== undefined ? String.fromCharCode(status) : undefined;
  }

  /** A setting the server reports by itself, such as `server_version`. */
  parameter(name: string): string | undefined {
    const value = this.#sql.parameters[name];
    return typeof value === "string" ? value : undefined;
  }

  /** Bytes that have come in so far. */
  get received(): number {
    return this.#socket.received;
  }

  /** Runs statements of ours that return nothing of interest. Aborting ends the connection. */
  async execute(statements: string, signal: AbortSignal): Promise<void> {
    await untilAborted(this.#sql.unsafe(statements), { signal, stop: () => this.destroy() });
  }

  /** All rows of a query of ours. Aborting stops it on the server and ends the connection. */
  async rows(
    query: string,
    { parameters = [], signal }: { parameters?: readonly string[]; signal: AbortSignal },
  ): Promise<TextRow[]> {
    const pending = this.#sql.unsafe<Record<string, string | null>[]>(query, [...parameters], ONE_STATEMENT);
    const stop = () => {
      this.cancel().catch(() => {});
      this.destroy();
    };
    return await untilAborted(pending.values(), { signal, stop });
  }

  /** Sends one statement alone; the rows come one by one, as fast as the socket is read, and are the caller's. */
  async stream(sql: string, onRow: (row: Cell[], columns: readonly TextColumn[]) => void): Promise<Outcome> {
    const pending = this.#sql.unsafe<Record<string, string | null>[]>(sql, [], ONE_STATEMENT).values();
    const { command, count, columns } = await pending.forEach((row, result) => onRow(row, result.columns));
    return { command, count, columns: columns ?? [] };
  }

  /** Stops reading, and with that, once the buffers on the way are full, the server's sending. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Asks the server to stop the statement that runs. What runs next might be hit, so nothing should. */
  async cancel(): Promise<void> {
    await requestCancel(this.#endpoint, this.#key);
  }

  /** Says goodbye to the server; for a connection on which nothing runs. */
  async close(): Promise<void> {
    await this.#sql.end({ timeout: GOODBYE_MS / 1000 });
    this.destroy();
  }

  /** Ends the connection at once; what runs on it fails. */
  destroy(): void {
    this.#socket.destroy();
  }
}

/** The extended protocol with the unnamed statement: no second statement fits in, and pgbouncer has nothing to lose. */
const ONE_STATEMENT = { simple: false, prepare: false };

function libraryOptions(
  { endpoint, login: { options, ...login }, dial }: {
    endpoint: Endpoint;
    login: Login;
    dial: () => Promise<PacedSocket>;
  },
): LibraryOptions {
  return {
    ...login,
    host: endpoint.host,
    port: endpoint.port,
    max: 1,
    socket: dial,
    no_subscribe: true,
    fetch_types: false,
    types: { text: AS_TEXT },
    connect_timeout: CONNECT_MS / 1000,
    // said outright, since the library would take them from the environment
    ssl: false,
    debug: false,
    idle_timeout: undefined,
    max_lifetime: null,
    keep_alive: null,
    connection: { application_name: "saber", ...options === undefined ? {} : { options } },
    onnotice: () => {},
  };
}

/** The result of work that `stop` ends when the signal aborts. */
async function untilAborted<Result>(
  work: PromiseLike<Result>,
  { signal, stop }: { signal: AbortSignal; stop: () => void },
): Promise<Result> {
  signal.throwIfAborted();
  signal.addEventListener("abort", stop);
  try {
    return await work;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
