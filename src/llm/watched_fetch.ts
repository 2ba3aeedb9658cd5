/**
 * fetch for model servers: it bounds how long a server may be silent, how long an answer may take and how much is read,
 * sends no header but those that are needed, and goes to no other server.
 * It does not know what the bytes mean.
 */
import { Fault } from "../base/fault.ts";
import type { ModelOptions } from "./provider.ts";
import { connectionFault } from "./connection_fault.ts";
import { EventMeter } from "./event_meter.ts";
import { askFault, serverFault } from "./server_fault.ts";

/** How long one answer may take in all. */
const MAX_ANSWER_MS = 3_600_000;
/** The longest event of a stream, which the libraries hold whole, and the part of an error's body that is read. */
const MAX_EVENT_BYTES = 16 << 20;
const MAX_ERROR_BYTES = 64 << 10;

const SENT_HEADERS = ["accept", "authorization", "content-type", "anthropic-version"];
const REDIRECTS = [301, 302, 303, 307, 308];
/** A Response that a program makes can have no greater one (Fetch standard, "initialize a response"). */
const MAX_STATUS = 599;

/** What is read of a request; the rest goes on as it came. The full types differ between versions of the runtime. */
interface Init {
  /** The libraries give a Headers. */
  readonly headers?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

type Fetch = (input: string | URL | Request, init?: Init) => Promise<Response>;

export function watchedFetch(options: ModelOptions): Fetch {
  return async (input, init) => {
    const watch = new Watch(options, init?.signal ?? undefined);
    const headers = neededHeaders(init?.headers, options);
    const sent = { ...init, headers, redirect: "manual", signal: watch.signal } as const;
    const response = await watch.bounded(() => fetch(input, sent));
    if (REDIRECTS.includes(response.status)) {
      await response.body?.cancel();
      throw moved(response, options);
    }
    if (response.status > MAX_STATUS) {
      await response.body?.cancel();
      throw serverFault({ status: response.status }, options);
    }
    const body = response.body && watch.watched(response.body, { isStream: response.ok });
    return new Response(body, response);
  };
}

/** Nobody has agreed that the conversation, or a header with a key, may go there. */
function moved({ status, headers }: Response, options: ModelOptions): Fault {
  const place = URL.parse(headers.get("location") ?? "", options.baseUrl);
  const elsewhere = place?.protocol.startsWith("http") ? place.origin : "another address";
  return askFault(options, {
    fault: "model_error",
    state: `sends requests on to ${elsewhere} (HTTP ${status})`,
    next: "If you trust that address, make it the base URL of this provider.",
  });
}

/** The client library adds headers about itself, and from the environment; a server without a key gets none. */
function neededHeaders(given: unknown, { apiKey, headers: own = {} }: ModelOptions): Headers {
  const headers = given instanceof Headers ? given : new Headers();
  const needed = new Headers({ "user-agent": "saber" });
  for (const name of SENT_HEADERS) {
    const value = headers.get(name);
    if (value !== null && (name !== "authorization" || apiKey !== undefined)) needed.set(name, value);
  }
  for (const [name, value] of Object.entries(own)) needed.set(name, value);
  return needed;
}

/** One request under way. */
class Watch {
  readonly signal: AbortSignal;
  readonly #options: ModelOptions;
  readonly #cut = new AbortController();
  readonly #aborted: AbortSignal | undefined;
  readonly #end = Date.now() + MAX_ANSWER_MS;

  constructor(options: ModelOptions, aborted: AbortSignal | undefined) {
    this.#options = options;
    this.#aborted = aborted;
    this.signal = aborted ? AbortSignal.any([aborted, this.#cut.signal]) : this.#cut.signal;
  }

  /** Waits for the server, but no longer than it may be silent; what fails is told as a Fault. */
  async bounded<Result>(wait: () => Promise<Result>): Promise<Result> {
    const ms = Math.max(0, Math.min(this.#options.silenceMs, this.#end - Date.now()));
    const timer = setTimeout(() => this.#cut.abort(this.#silent(ms)), ms);
    try {
      return await wait();
    } catch (error) {
      if (this.#aborted?.aborted) throw error;
      throw this.#cut.signal.aborted ? this.#cut.signal.reason : connectionFault(error, this.#options);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The body, read only as fast as it is wanted. */
  watched(
    body: ReadableStream<Uint8Array<ArrayBuffer>>,
    { isStream }: { isStream: boolean },
  ): ReadableStream<Uint8Array<ArrayBuffer>> {
    const reader = body.getReader();
    const meter = new EventMeter();
    let bytes = 0;
    return new ReadableStream({
      pull: async (controller) => {
        const { done, value } = await this.bounded(() => reader.read());
        if (done) return controller.close();
        bytes += value.length;
        const isTooLong = isStream ? meter.add(value) > MAX_EVENT_BYTES : bytes > MAX_ERROR_BYTES;
        if (isTooLong) {
          await reader.cancel();
          if (isStream) throw this.#endless();
          return controller.close();
        }
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    }, { highWaterMark: 0 });
  }

  #silent(ms: number): Fault {
    return ms < this.#options.silenceMs
      ? this.#fault("model_timeout", {
        state: `did not finish its answer within ${MAX_ANSWER_MS / 60_000} minutes`,
        next: "Ask for less at once.",
      })
      : this.#fault("model_timeout", {
        state: `sent nothing for ${this.#options.silenceMs / 1000} s`,
        next: "Ask again.",
      });
  }

  #endless(): Fault {
    return this.#fault("model_error", {
      state: `sent an event of more than ${MAX_EVENT_BYTES >> 20} MiB`,
      next: "Check the base URL of this provider.",
    });
  }

  #fault(fault: "model_error" | "model_timeout", text: { state: string; next: string }): Fault {
    return askFault(this.#options, { fault, ...text });
  }
}
