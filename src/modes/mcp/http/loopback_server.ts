/**
 * An HTTP server that only programs on this machine can reach: what it refuses, how much it takes at once, and how
 * it ends. What is answered to a message is its user's.
 */
import { Fault } from "../../../base/fault.ts";
import type { Log } from "../../../base/log.ts";
import { settle } from "../../../base/settle.ts";
import { END_MS, GRACE_MS } from "../ending.ts";
import { readBody } from "./body.ts";
import { refusal, refusalOf } from "./refusal.ts";

const LOOPBACK = "127.0.0.1";
/** Requests being read or answered; one more is refused. */
const MAX_REQUESTS = 128;
/** Deno stops a server for good that cannot take a connection. */
const NO_ROOM = "Cannot take more connections: the system gives this program no more of them. " +
  "Close clients that have many open, or raise the limit (ulimit -n), and start again.";

/**
 * Answers one message (or a batch), at once or with a stream that is cancelled when the client goes: until the answer
 * begins, nobody may tell (Deno 2.9 does not, for requests of more than half a kilobyte).
 */
export type Exchange = (incoming: Incoming) => Promise<Response>;

export interface Incoming extends OpenRequest {
  /** Without its body; its signal is that of `stop`. */
  readonly request: Request;
  readonly body: unknown;
}

interface OpenRequest {
  /** Aborted when the server ends. */
  readonly stop: AbortController;
  /** Settles when the answer has been sent, or can't be. */
  readonly over: Promise<void>;
}

export class LoopbackServer {
  readonly port: number;
  /** Settles when the server was closed. Throws Fault `unavailable` when the system lets it take no more connections. */
  readonly over: Promise<void>;
  readonly #exchange: Exchange;
  readonly #log: Log;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #open = new Set<OpenRequest>();

  /** Listens at once. Port 0 takes one that is free. Throws Fault `unavailable`. */
  constructor({ port, exchange, log }: { port: number; exchange: Exchange; log: Log }) {
    this.#exchange = exchange;
    this.#log = log;
    this.#server = this.#listen(port);
    this.port = this.#server.addr.port;
    this.over = this.#server.finished.catch((cause) => {
      throw new Fault("unavailable", NO_ROOM, { cause });
    });
  }

  /** Takes no more requests; those that are open have half a second, then their signals are aborted. */
  async close(): Promise<void> {
    const closed = this.#server.shutdown();
    await settle(Promise.all(Array.from(this.#open, ({ over }) => over)), { ms: GRACE_MS });
    for (const { stop } of this.#open) stop.abort();
    await settle(closed, { ms: END_MS });
  }

  #listen(port: number): Deno.HttpServer<Deno.NetAddr> {
    const options = {
      hostname: LOOPBACK,
      port,
      onListen: () => {},
      onError: (error: unknown) => {
        this.#log("An HTTP request was not answered.", { level: "error", error });
        return refusal(500, "Internal server error");
      },
    };
    try {
      return Deno.serve(options, (request, { completed }) => this.#answer(request, completed));
    } catch (error) {
      throw new Fault(
        "unavailable",
        `Cannot listen on ${LOOPBACK}:${port}: ${whyNot(error)}. Choose another port with --port.`,
        { cause: error },
      );
    }
  }

  async #answer(request: Request, completed: Promise<void>): Promise<Response> {
    const refused = refusalOf(request, this.port);
    if (refused) return refused;
    if (this.#open.size >= MAX_REQUESTS) {
      return refusal(503, `Busy: ${MAX_REQUESTS} requests are open`, { headers: { "Retry-After": "1" } });
    }
    const stop = new AbortController();
    const over = completed.catch(() => {}).finally(() => this.#open.delete(open)); // rejects when the client has gone
    const open: OpenRequest = { stop, over };
    this.#open.add(open);
    const body = await readBody(request);
    if ("refused" in body) return body.refused;
    const { url, method, headers } = request;
    const bare = new Request(url, { method, headers, signal: stop.signal });
    return await this.#exchange({ ...open, request: bare, body: body.value });
  }
}

function whyNot(error: unknown): string {
  if (error instanceof Deno.errors.AddrInUse) return "another program uses this port";
  if (error instanceof Deno.errors.PermissionDenied) return "this port needs rights that saber does not have";
  return "the system does not allow it";
}
