/**
 * Questions to the person at the host, and what is shown to them in passing. One question at a time; one that is not
 * answered ends with the safe answer.
 */
import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import type { Json } from "../../base/json.ts";
import type { Emit } from "./message_teller.ts";

export const DialogAnswer = z.object({
  id: z.string(),
  value: z.optional(z.string()),
  confirmed: z.optional(z.boolean()),
  cancelled: z.optional(z.boolean()),
  /** The host had a clock of its own, which ran out. */
  timedOut: z.optional(z.boolean()),
});

/** How long a person may take, in milliseconds. */
const PATIENCE_MS = 120_000;
const MAX_WAITING = 100;

interface Asked {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

export type Confirmation = "yes" | "no" | "timed out";

/** A host that takes the first option unseen says yes to one thing only. */
const ALIKE = { yes: "Approve", always: "Approve for this session", no: "Deny" } as const;
type Answer = Pick<z.infer<typeof DialogAnswer>, "value" | "confirmed"> | "cancelled" | "timed out";

interface Question {
  readonly method: "select" | "confirm" | "input" | "editor";
  readonly fields: { readonly [key: string]: Json | undefined };
}

export class Dialogs {
  readonly #emit: Emit;
  readonly #closed = new AbortController();
  readonly #open = new Map<string, (answer: Answer) => void>();
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  async confirm(
    title: string,
    { message, ...asked }: { readonly message: string } & Asked,
  ): Promise<Confirmation> {
    const answer = await this.#ask({ method: "confirm", fields: { title, message } }, asked);
    if (answer === "timed out") return answer;
    return answer !== "cancelled" && answer.confirmed === true ? "yes" : "no";
  }

  /** The same question, where a yes may be meant for all that are like it. */
  async confirmAlike(
    title: string,
    { message, ...asked }: { readonly message: string } & Asked,
  ): Promise<Confirmation | "always"> {
    const fields = { title: `${title}\n\n${message}`, options: Object.values(ALIKE) };
    const answer = await this.#ask({ method: "select", fields }, asked);
    if (answer === "timed out") return answer;
    const value = answer === "cancelled" ? undefined : answer.value;
    return value === ALIKE.always ? "always" : value === ALIKE.yes ? "yes" : "no";
  }

  /** Undefined when nothing was chosen. */
  async select(
    title: string,
    { options, ...asked }: { readonly options: readonly string[] } & Asked,
  ): Promise<string | undefined> {
    const answer = await this.#ask({ method: "select", fields: { title, options } }, asked);
    const value = typeof answer === "string" ? undefined : answer.value;
    return value !== undefined && options.includes(value) ? value : undefined;
  }

  /** Undefined when nothing was written. */
  async input(
    title: string,
    { placeholder, ...asked }: { readonly placeholder?: string } & Asked,
  ): Promise<string | undefined> {
    const answer = await this.#ask({ method: "input", fields: { title, placeholder } }, asked);
    return typeof answer === "string" ? undefined : answer.value;
  }

  /** Undefined when the text was not taken over. */
  async edit(
    title: string,
    { prefill, signal }: { readonly prefill: string } & Asked,
  ): Promise<string | undefined> {
    const answer = await this.#ask({ method: "editor", fields: { title, prefill } }, { signal });
    return typeof answer === "string" ? undefined : answer.value;
  }

  /** Shows something; nobody answers. */
  async show(method: string, fields: { readonly [key: string]: Json | undefined }): Promise<void> {
    await this.#emit("extension_ui_request", { id: newId(), method, ...fields });
  }

  /** Ids that are not asked (any more) mean nothing. */
  answer({ id, value, confirmed, cancelled, timedOut }: z.infer<typeof DialogAnswer>): void {
    const unanswered = timedOut ? "timed out" : "cancelled";
    this.#open.get(id)?.(cancelled ? unanswered : { value, confirmed });
  }

  /** Nobody will answer any more. */
  close(): void {
    this.#closed.abort();
  }

  async #ask(question: Question, asked: Asked): Promise<Answer> {
    if (this.#waiting >= MAX_WAITING) {
      throw new Fault("busy", `Cannot ask: ${MAX_WAITING} questions wait already.`);
    }
    this.#waiting++;
    const before = this.#last;
    const mine = before.then(() => this.#askNow(question, asked));
    this.#last = mine.catch(() => {});
    return await mine.finally(() => this.#waiting--);
  }

  async #askNow({ method, fields }: Question, { signal, timeoutMs = PATIENCE_MS }: Asked): Promise<Answer> {
    const end = AbortSignal.any([signal, this.#closed.signal]);
    if (end.aborted) return "cancelled";
    const id = newId();
    const { promise, resolve } = Promise.withResolvers<Answer>();
    let isAnswered = false;
    this.#open.set(id, (answer) => {
      isAnswered = true;
      resolve(answer);
    });
    const timer = setTimeout(() => resolve("timed out"), timeoutMs);
    const stop = () => resolve("cancelled");
    end.addEventListener("abort", stop, { once: true });
    try {
      const timeout = method === "editor" ? undefined : timeoutMs;
      await this.#emit("extension_ui_request", { id, method, ...fields, timeout });
      return await promise;
    } finally {
      clearTimeout(timer);
      end.removeEventListener("abort", stop);
      this.#open.delete(id);
      if (!isAnswered) await this.show("cancel", { targetId: id });
    }
  }
}

export function newId(): string {
  return crypto.getRandomValues(new Uint8Array(8)).toHex();
}
