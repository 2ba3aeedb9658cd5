/**
 * The SQLite process: a hidden command of the program, started by sqlite/spawn.ts. SQLite blocks the thread it runs in
 * and can't be interrupted, so it gets a process that can be killed. It reads requests and answers them one after another,
 * both synchronously, until its input ends.
 */
import { keepOnly, type Permission } from "../../base/permissions.ts";
import { Connection, type ConnectionOptions, errorCode, Refusal } from "./connection.ts";
import { FrameReader, toFrame } from "./frames.ts";
import { ENDING_NEEDS_RUN, watchParent } from "./parent_watch.ts";
import { ACK_PARTS, type Failure, type Part, type Request, type Statement, WINDOW } from "./protocol.ts";
import { runStatement } from "./statement.ts";

/** What it keeps to its end. */
const TO_END: readonly Permission[] = ENDING_NEEDS_RUN ? ["run"] : [];

/** The process's own ends of its pipes. */
export interface Pipes {
  readonly input: { readSync(buffer: Uint8Array): number | null };
  readonly output: { writeSync(bytes: Uint8Array): number };
}

/** Serves until the input ends; a Worker still runs then, so the caller exits. `args`: the path, "read" or "write", and the wait for locks in milliseconds. */
export function serveSqlite(args: readonly string[], pipes: Pipes): void {
  const [path = "", access, busyMs] = args;
  watchParent();
  // Nobody reads where in this process a failure arose, and collecting that takes longer than the short statements.
  Error.stackTraceLimit = 0;
  keepOnly([...TO_END, "read", ...access === "write" ? ["write"] as const : []]);
  const server = new Server(pipes, {
    path,
    access: access === "write" ? "write" : "read",
    busyMs: Number(busyMs),
  });
  for (let request = server.next(); request !== undefined; request = server.next()) {
    if (typeof request === "object") server.answer(request);
  }
  server.close();
}

class Server {
  readonly #pipes: Pipes;
  readonly #options: ConnectionOptions & { readonly path: string };
  readonly #frames = new FrameReader();
  readonly #buffer = new Uint8Array(1 << 14);
  /** Statements that came while another one ran. */
  readonly #waiting: Statement[] = [];
  #connection: Connection | undefined;

  constructor(pipes: Pipes, options: ConnectionOptions & { readonly path: string }) {
    this.#pipes = pipes;
    this.#options = options;
  }

  /** The next request; undefined when the input has ended. */
  next(): Request | undefined {
    return this.#waiting.shift() ?? this.#read();
  }

  #read(): Request | undefined {
    for (;;) {
      const frame = this.#frames.next();
      if (frame !== undefined) return JSON.parse(frame.json);
      const size = this.#pipes.input.readSync(this.#buffer);
      if (size === null) return undefined;
      this.#frames.push(this.#buffer.subarray(0, size));
    }
  }

  /** Tidies up beside the file: SQLite's last connection to it removes the write-ahead log. */
  close(): void {
    this.#connection?.close();
  }

  answer(statement: Statement): void {
    let sent = 0;
    const send = (part: Part, blobs: readonly Uint8Array[]) => {
      this.#write(part, blobs);
      sent++;
      return sent < WINDOW || sent % ACK_PARTS !== 0 || this.#isMoreWanted();
    };
    try {
      const connection = this.#connection ??= this.#open();
      const isAlone = statement.own !== true && statement.work !== true;
      const writes = this.#options.access === "write" && isAlone;
      const { part, blobs } = runStatement(connection, statement, { writes, send });
      this.#write({ ...part, ...this.#state(statement) }, blobs);
    } catch (error) {
      const failure = this.#toFailure(error, statement);
      this.#write({ rows: [], odd: [], done: true, failure, ...this.#state(statement) });
    }
  }

  #isMoreWanted(): boolean {
    for (let request = this.#read();; request = this.#read()) {
      if (typeof request !== "object") return request === "more";
      this.#waiting.push(request);
    }
  }

  #state({ work }: Statement): Pick<Part, "inTransaction"> {
    return work === true ? { inTransaction: this.#connection?.inTransaction ?? false } : {};
  }

  #open(): Connection {
    const connection = new Connection(this.#options.path, this.#options);
    // The file is open; SQLite asks nobody for its companions.
    keepOnly(TO_END);
    return connection;
  }

  #write(part: Part, blobs: readonly Uint8Array[] = []): void {
    const bytes = toFrame(part, blobs);
    for (let at = 0; at < bytes.length;) at += this.#pipes.output.writeSync(bytes.subarray(at));
  }

  #toFailure(error: unknown, { sql }: Statement): Failure {
    if (error instanceof Refusal) return { kind: error.kind, code: 0, message: error.message };
    if (!(error instanceof Error)) return { kind: "sqlite", code: 0, message: String(error) };
    // V8 has limits of its own for one string and one array.
    const kind = error instanceof RangeError ? "too_large" : "sqlite";
    const position = this.#connection?.locate(sql, error.message);
    return {
      kind,
      code: errorCode(error),
      message: error.message,
      ...position === undefined ? {} : { position },
    };
  }
}
