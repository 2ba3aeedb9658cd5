/**
 * Connects to a server and logs in, encrypted as the target asks. What is done on the connection is session.ts's.
 */
import type { Socket } from "node:net";
import type { Connection, ConnectionOptions } from "mysql2";
import { Fault } from "../../base/fault.ts";
import { beneathTls, PacedStream } from "../paced_stream.ts";
import { encryption } from "./encryption.ts";
import { errorNumber, isMissingTls, mysqlFault } from "./faults.ts";
import { closeSocket, type Endpoint, openSocket } from "./socket.ts";

export interface Login {
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
}

export interface LoginOptions {
  readonly login: Login;
  /** How long the host may take, in milliseconds. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** A connection that is logged in, and the socket below it. */
export interface Link {
  readonly connection: Connection;
  readonly socket: Socket | PacedStream;
}

const UNKNOWN_DATABASE = 1049;
const NO_RIGHT_TO_DATABASE = 1044;

/** Every value as the server sends it, and nothing that reaches outside the database. */
const EXACT: ConnectionOptions = {
  charset: "UTF8MB4_GENERAL_CI",
  rowsAsArray: true,
  dateStrings: true,
  supportBigNumbers: true,
  jsonStrings: true,
  timezone: "Z",
  connectTimeout: 0,
  multipleStatements: false,
  flags: ["-LOCAL_FILES", "-IGNORE_SPACE", "-ODBC"],
  connectAttributes: { program_name: "saber" },
};

/** Throws Fault: unreachable, auth_failed, bad_target, busy; or the signal's reason. */
export async function logIn(endpoint: Endpoint, options: LoginOptions): Promise<Link> {
  try {
    return await attempt(endpoint, options);
  } catch (error) {
    options.signal.throwIfAborted();
    if (endpoint.tls.mode !== "prefer" || !isMissingTls(error)) throw connectFault(error);
    return await logIn({ ...endpoint, tls: { mode: "disable" } }, options);
  }
}

async function attempt(endpoint: Endpoint, { login, limitMs, signal }: LoginOptions): Promise<Link> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const ssl = await encryption(endpoint);
  const { createConnection } = await import("mysql2");
  const socket = await openSocket(endpoint, bounded);
  const stop = () => socket.destroy();
  bounded.addEventListener("abort", stop, { once: true });
  try {
    const stream = ssl === undefined ? new PacedStream(socket) : beneathTls(socket);
    const connection = createConnection({
      ...EXACT,
      ...login,
      // the socket is there already: this is the name that the certificate must have
      host: endpoint.tls.serverName ?? endpoint.host,
      enableCleartextPlugin: ssl !== undefined && endpoint.tls.clearPassword === true,
      stream,
      ...ssl === undefined ? {} : { ssl },
    });
    await loggedIn(connection);
    return { connection, socket: stream };
  } catch (error) {
    await closeSocket(socket);
    bounded.throwIfAborted();
    throw error;
  } finally {
    bounded.removeEventListener("abort", stop);
  }
}

function loggedIn(connection: Connection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.on("error", reject);
    connection.connect((error) => error ? reject(error) : resolve());
  });
}

function connectFault(error: unknown): Fault {
  const fault = mysqlFault(error, { doing: "connect to the database" });
  const server = fault.server === undefined ? {} : { server: fault.server };
  switch (errorNumber(error)) {
    case UNKNOWN_DATABASE:
      return new Fault(
        "bad_target",
        "Cannot connect to the database: the server has no database of that name. Check the name.",
        server,
      );
    case NO_RIGHT_TO_DATABASE:
      return new Fault(
        "auth_failed",
        "Cannot connect to the database: the user may not use a database of that name. Check both.",
        server,
      );
    default:
      return fault;
  }
}
