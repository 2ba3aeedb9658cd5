/**
 * Addresses that the host owns: the model reads and writes them with its tools, the host answers over the same connection.
 */
import * as z from "zod/mini";
import { abortable } from "../../base/abortable.ts";
import { Fault } from "../../base/fault.ts";
import { newId } from "./dialogs.ts";
import type { Emit } from "./message_teller.ts";

export const HostUriResult = z.object({
  id: z.string(),
  content: z.optional(z.string()),
  contentType: z.optional(z.string()),
  notes: z.optional(z.array(z.string())),
  immutable: z.optional(z.boolean()),
  isError: z.optional(z.boolean()),
  error: z.optional(z.string()),
});

export interface HostScheme {
  /** In lower case. */
  readonly scheme: string;
  readonly description: string | undefined;
  readonly isWritable: boolean;
}

export interface HostDocument {
  readonly content: string;
  /** The host says that it is JSON. */
  readonly isJson: boolean;
  /** What the host wants to be known of it. */
  readonly notes: readonly string[];
}

type Result = z.infer<typeof HostUriResult>;

/** Documents that the host said never change, kept for the session. */
const MAX_KEPT = 200;

export class HostUris {
  readonly #emit: Emit;
  readonly #open = new Map<string, (result: Result | Fault) => void>();
  readonly #kept = new Map<string, Result>();
  #schemes: readonly HostScheme[] = [];
  #isClosed = false;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  get schemes(): readonly HostScheme[] {
    return this.#schemes;
  }

  set(schemes: readonly HostScheme[]): void {
    this.#schemes = schemes;
    this.#kept.clear();
  }

  /** The host's scheme of an address; undefined where it has none of the host's. */
  find(url: string): HostScheme | undefined {
    const [, scheme = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(url) ?? [];
    return this.#schemes.find((each) => each.scheme === scheme.toLowerCase());
  }

  /** Throws Fault: unavailable with what the host says, cancelled. */
  async read(url: string, signal: AbortSignal): Promise<HostDocument> {
    const kept = this.#kept.get(url);
    const result = kept ?? await this.#request({ operation: "read", url }, signal);
    if (result.content === undefined) throw new Fault("unavailable", "Host URI read returned no content");
    if (result.immutable && !kept && this.#kept.size < MAX_KEPT) this.#kept.set(url, result);
    const { content, contentType, notes = [] } = result;
    return { content, isJson: contentType === "application/json", notes };
  }

  /** Replaces the document. Throws Fault: bad_request for a scheme that is read-only, unavailable, cancelled. */
  async write(
    { scheme, isWritable }: HostScheme,
    { url, content, signal }: {
      readonly url: string;
      readonly content: string;
      readonly signal: AbortSignal;
    },
  ): Promise<void> {
    if (!isWritable) {
      const how = "use the protocol-specific tool for mutations.";
      throw new Fault("bad_state", `${scheme}:// URLs are read-only for write; ${how}`);
    }
    await this.#request({ operation: "write", url, content }, signal);
  }

  /** Why a request that was under way has no result. */
  stopped({ operation, url }: { readonly operation: "read" | "write"; readonly url: string }): string {
    return this.#isClosed ? GONE : `Host URI ${operation} for ${url} was aborted`;
  }

  /** Requests that are over mean nothing. */
  finish(result: Result): void {
    this.#open.get(result.id)?.(result);
  }

  /** The host is gone. */
  close(): void {
    this.#isClosed = true;
    for (const settle of this.#open.values()) settle(gone());
  }

  async #request(
    request: { readonly operation: "read" | "write"; readonly url: string; readonly content?: string },
    signal: AbortSignal,
  ): Promise<Result> {
    if (this.#isClosed) throw gone();
    const id = newId();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#open.set(id, (result) => result instanceof Fault ? reject(result) : resolve(result));
    try {
      await this.#emit("host_uri_request", { id, ...request });
      const result = await abortable(promise, signal);
      if (!result.isError) return result;
      const failed = `Host URI ${request.operation} failed for ${request.url}`;
      throw new Fault("unavailable", result.error ?? result.content ?? failed);
    } catch (error) {
      if (!signal.aborted) throw error;
      await this.#emit("host_uri_cancel", { id: newId(), targetId: id });
      throw new Fault("cancelled", this.stopped(request));
    } finally {
      this.#open.delete(id);
    }
  }
}

const GONE = "RPC client disconnected before host URI request completed";

function gone(): Fault {
  return new Fault("unavailable", GONE);
}
