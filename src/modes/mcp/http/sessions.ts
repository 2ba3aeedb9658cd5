/**
 * Cancelling in the revisions up to 2025-11-25: the notification comes in a request of its own, so that a name must
 * tell whose call it means. That is all a session is here: none is kept, none expires, and an unknown one is served
 * as well as none. (A client of 2026-07-28 cancels by going away.)
 */
import { isInitializeRequest } from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import type { Incoming } from "./loopback_server.ts";

const HEADER = "mcp-session-id";

const id = z.union([z.string(), z.number()]);
const call = z.object({ method: z.string(), id });
const cancellation = z.object({
  method: z.literal("notifications/cancelled"),
  params: z.object({ requestId: id }),
});

export class Sessions {
  /** Requests that are open, by session and id. */
  readonly #calls = new Map<string, AbortController>();

  /** Does what the messages of a request cancel, and remembers what of it may be cancelled. */
  note({ request, body, stop, over }: Incoming): void {
    const session = request.headers.get(HEADER);
    if (session === null) return;
    for (const message of Array.isArray(body) ? body : [body]) {
      const cancelled = cancellation.safeParse(message).data?.params.requestId;
      if (cancelled !== undefined) this.#calls.get(keyOf(session, cancelled))?.abort();
      const called = call.safeParse(message).data?.id;
      if (called === undefined) continue;
      const key = keyOf(session, called);
      this.#calls.set(key, stop);
      over.then(() => this.#forget(key, stop));
    }
  }

  /** Gives the client of a handshake its session. */
  name(response: Response, { body }: Incoming): Response {
    if (response.ok && isInitializeRequest(body)) response.headers.set(HEADER, crypto.randomUUID());
    return response;
  }

  #forget(key: string, stop: AbortController): void {
    if (this.#calls.get(key) === stop) this.#calls.delete(key); // else a later call has the same id
  }
}

function keyOf(session: string, id: string | number): string {
  return JSON.stringify([session, id]);
}
