/**
 * A model that asks again when its server is overloaded or the connection breaks, as long as nothing of the answer has
 * been told. The same type in and out.
 */
import { Fault } from "../base/fault.ts";
import { pause } from "../base/pause.ts";
import type { Model, ModelEvent, ModelRequest } from "./provider.ts";

/** Waits before the second, third and fourth request, in milliseconds; a server may ask for more. */
const WAITS_MS = [500, 2000, 8000];
/** A server that asks for a longer wait is not waited for. */
const MAX_WAIT_MS = 30_000;

export function retrying(model: Model, waitsMs: readonly number[] = WAITS_MS): Model {
  return {
    ...model,
    stream: (request) => stream(request, { model, waitsMs }),
  };
}

async function* stream(
  request: ModelRequest,
  { model, waitsMs }: { readonly model: Model; readonly waitsMs: readonly number[] },
): AsyncGenerator<ModelEvent> {
  for (let attempt = 0;; attempt++) {
    let told = false;
    try {
      for await (const event of model.stream(request)) {
        told = true;
        yield event;
      }
      return;
    } catch (error) {
      const wait = told ? undefined : waitBefore(error, waitsMs[attempt]);
      if (wait === undefined) throw error;
      await pause(wait, request.signal);
      if (request.signal.aborted) throw new Fault("cancelled", "The question was cancelled.");
    }
  }
}

/** Undefined when the request is not to be repeated. */
function waitBefore(error: unknown, planned: number | undefined): number | undefined {
  if (planned === undefined || !(error instanceof Fault) || !error.retry) return undefined;
  // Many clients that were sent away together should not come back together.
  const jittered = planned * (0.75 + Math.random() / 2);
  const wait = Math.max(jittered, error.retry.afterMs ?? 0);
  return wait > MAX_WAIT_MS ? undefined : wait;
}
