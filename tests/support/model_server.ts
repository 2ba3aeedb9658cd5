/**
 * A model server for tests and the demo: real HTTP on loopback that answers Chat Completions requests from a play-list
 * of recorded streams, keeps what it was asked, and misbehaves when told to.
 */
const STREAMS = new URL("../../fixtures/streams/", import.meta.url);

/** How one request is answered. */
export type Play = StreamPlay | ReplyPlay;

export interface StreamPlay {
  /**
   * A file of fixtures/streams, such as `openai/text.sse`, or the stream itself, in which LATEST_RESULT stands for the
   * last result id that the model was told.
   */
  readonly stream: string | { readonly text: string };
  /** Sent as one piece when left out; in pieces of so many bytes; or in two that meet at this byte. */
  readonly pieces?: { readonly every: number } | { readonly cutAt: number };
  /** Waits before each line of the stream, in milliseconds, as a model that writes does. */
  readonly paceMs?: number;
  /** After so many bytes the server falls silent, or drops the connection. */
  readonly stallAt?: number;
  readonly resetAt?: number;
  /** After so many bytes the server waits for this, and then sends the rest. */
  readonly hold?: { readonly at: number; readonly until: Promise<void> };
}

/** Any other response, sent whole. */
export interface ReplyPlay {
  readonly status: number;
  readonly body: string;
  readonly headers?: { readonly [name: string]: string };
}

/** A request as it arrived. */
export interface Asked {
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
  /** Bytes that were handed to the network so far. */
  readonly sent: number;
  /** Settles when the response is over: sent whole, dropped by the server, or given up by the client. */
  readonly over: Promise<"sent" | "dropped" | "given up">;
}

export interface ModelServer extends AsyncDisposable {
  /** Where the API begins: `http://127.0.0.1:PORT/v1`. */
  readonly baseUrl: string;
  readonly asked: readonly Asked[];
  /** Settles with the n-th request (from 0) when it has arrived. */
  arrival(n: number): Promise<Asked>;
}

/** The n-th request (from 0) gets the n-th play; a function answers any number of requests. */
export function startModelServer(plays: readonly Play[] | ((n: number) => Play)): ModelServer {
  const asked: Asked[] = [];
  const arrivals = new Map<number, PromiseWithResolvers<Asked>>();
  const arrival = (n: number) => {
    const known = arrivals.get(n) ?? Promise.withResolvers<Asked>();
    arrivals.set(n, known);
    return known;
  };
  const playOf = typeof plays === "function" ? plays : (n: number) => plays[n] ?? END_OF_LIST;
  const stop = new AbortController();
  const server = Deno.serve(
    {
      hostname: "127.0.0.1",
      port: 0,
      signal: stop.signal,
      onListen: () => {},
      onError: () => new Response(),
    },
    async (request) => {
      const n = asked.length;
      const over = Promise.withResolvers<"sent" | "dropped" | "given up">();
      const body: unknown = await request.json();
      const entry = {
        path: new URL(request.url).pathname,
        headers: request.headers,
        body,
        sent: 0,
        over: over.promise,
      };
      asked.push(entry);
      arrival(n).resolve(entry);
      return await answer(playOf(n), {
        latestResult: JSON.stringify(body).match(/qr_[0-9a-f]{32}/g)?.at(-1) ?? "none",
        sending: (bytes) => entry.sent += bytes,
        over: over.resolve,
        stop: stop.signal,
      });
    },
  );
  return {
    baseUrl: `http://127.0.0.1:${server.addr.port}/v1`,
    asked,
    arrival: (n) => arrival(n).promise,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await server.finished;
    },
  };
}

const END_OF_LIST: Play = {
  status: 500,
  body: '{"error":{"message":"The play-list is at its end","code":"end_of_list"}}',
};

interface Answering {
  readonly latestResult: string;
  readonly sending: (bytes: number) => void;
  readonly over: (how: "sent" | "dropped" | "given up") => void;
  readonly stop: AbortSignal;
}

async function answer(play: Play, { latestResult, sending, over, stop }: Answering): Promise<Response> {
  if ("status" in play) {
    over("sent");
    const headers = { "content-type": "application/json", ...play.headers };
    return new Response(play.body, { status: play.status, headers });
  }
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, stop]);
  const pieces = piecesOf(await bytesOf(play.stream, latestResult), { ...play, signal });
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (signal.aborted) return;
      if (value === "reset") {
        over("dropped");
        return controller.error(new Error("dropped on purpose"));
      }
      if (!done) {
        sending(value.length);
        return controller.enqueue(value);
      }
      over("sent");
      controller.close();
    },
    cancel() {
      gone.abort();
      over("given up");
    },
  }, { highWaterMark: 0 });
  return new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
}

async function bytesOf(stream: StreamPlay["stream"], latestResult: string): Promise<Uint8Array> {
  if (typeof stream !== "string") {
    return new TextEncoder().encode(stream.text.replaceAll("LATEST_RESULT", latestResult));
  }
  return await Deno.readFile(new URL(stream, STREAMS));
}

async function* piecesOf(
  bytes: Uint8Array,
  { paceMs, stallAt, resetAt, hold, signal, ...play }: StreamPlay & { readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array | "reset", undefined> {
  const end = stallAt ?? resetAt ?? bytes.length;
  const pieces = hold === undefined ? play.pieces : { cutAt: hold.at };
  let start = 0;
  while (start < end) {
    if (hold?.at === start) await Promise.race([hold.until, pause(Infinity, signal)]);
    const next = pieces === undefined
      ? (paceMs === undefined ? end : bytes.indexOf(0x0a, start) + 1 || end)
      : "every" in pieces
      ? start + pieces.every
      : start < pieces.cutAt
      ? pieces.cutAt
      : end;
    // A turn of the timers keeps two pieces from arriving as one.
    if (start > 0 || paceMs !== undefined) await pause(paceMs ?? 0, signal);
    yield bytes.subarray(start, Math.min(next, end));
    start = next;
  }
  if (stallAt !== undefined) await pause(Infinity, signal);
  if (resetAt === undefined) return;
  // What was sent must have left before the connection is dropped.
  await pause(20, signal);
  yield "reset";
}

/** Ends early when the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = ms === Infinity ? undefined : setTimeout(resolve, ms);
  signal.addEventListener("abort", () => resolve(), { once: true });
  if (signal.aborted) resolve();
  return promise.finally(() => clearTimeout(timer));
}
