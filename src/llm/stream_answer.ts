/**
 * A model of any API: asks one request as a stream of events, hands each piece to the API's reader, and tells a whole answer from a
 * broken one. What the pieces mean is the adapter's.
 */
import { Fault } from "../base/fault.ts";
import { Answer } from "./answer.ts";
import { type Library, libraryFault } from "./library_fault.ts";
import { modelName } from "./model_name.ts";
import type { AssistantMessage, Model, ModelEvent, ModelOptions, ModelRequest } from "./provider.ts";
import { askFault, serverFault } from "./server_fault.ts";

/** What an adapter makes of the pieces of one stream. */
export interface Reader {
  /** A piece of an answer came, if only an empty one. */
  readonly started: boolean;
  /** The server said that the answer is complete; only counts may follow. */
  readonly finished: boolean;
  /** Adds a piece to the answer. False for what is no piece of this API; throws Fault for an error that it tells. */
  take(piece: unknown): boolean;
  /** Adds what is left, and says how the answer ended. */
  finish(): Pick<AssistantMessage, "usage" | "stopReason">;
}

/** What differs between the APIs. */
export interface Adapter {
  readonly library: Library;
  /** For the answer to one request. */
  reader(answer: Answer, request: ModelRequest): Reader;
  /** Sends the request; settles when the response begins. */
  open(request: ModelRequest): PromiseLike<AsyncIterable<unknown>>;
}

/** How long counts are waited for behind a whole answer, in milliseconds: some servers leave the connection open. */
const COUNTS_MS = 5000;

export function adapterModel(options: ModelOptions, adapter: Adapter): Model {
  const { id } = options;
  return { id, name: modelName(id), stream: (request) => streamAnswer(request, { options, adapter }) };
}

async function* streamAnswer(
  request: ModelRequest,
  { options, adapter }: { readonly options: ModelOptions; readonly adapter: Adapter },
): AsyncGenerator<ModelEvent> {
  const { signal } = request;
  const { library } = adapter;
  const answer = new Answer();
  const reader = adapter.reader(answer, request);
  const garbled = {
    fault: "model_error",
    state: `sent something that is not ${library.api} answer`,
    next: "Check the base URL of this provider.",
  } as const;
  const enough = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const opened = adapter.open({ ...request, signal: AbortSignal.any([signal, enough.signal]) });
    for await (const piece of await opened) {
      if (!reader.take(piece)) throw askFault(options, garbled);
      yield* answer.drain();
      if (reader.finished) timer ??= setTimeout(() => enough.abort(), COUNTS_MS);
    }
  } catch (error) {
    // A whole answer stays one, whatever becomes of the connection behind it.
    if (!reader.finished && !signal.aborted) {
      throw libraryFault(error, { library, asked: options }) ?? askFault(options, garbled);
    }
  } finally {
    clearTimeout(timer);
  }
  // The libraries end an aborted stream as if it were complete.
  if (signal.aborted) throw new Fault("cancelled", "The question was cancelled.");
  if (!reader.finished) throw askFault(options, reader.started ? UNFINISHED : garbled);
  const message = answer.finish({ model: modelName(options.id), ...reader.finish() });
  yield* answer.drain();
  if (message.stopReason === "error") throw serverFault({}, options);
  yield { type: "done", message };
}

const UNFINISHED = {
  fault: "model_unreachable",
  state: "broke off the connection in mid-answer",
  next: "Ask again.",
  retry: true,
} as const;
