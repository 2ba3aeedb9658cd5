/**
 * What the user said in mid-run and the model has not been told yet: steers, told before the next request, and
 * follow-ups, told when the model has come to its end.
 */
import { Fault } from "../base/fault.ts";
import type { UserMessage } from "../llm/provider.ts";

/** Whether all that waits is told at once, or one message with each request. */
export type QueueMode = "all" | "one-at-a-time";

export type Delivery = {
  readonly how: "steer" | "followUp";
  /** At least one. */
  readonly messages: readonly UserMessage[];
};

/** When something is taken from the queue. */
export interface Moment {
  /** The model has come to its end. */
  readonly atEnd: boolean;
  /** The next request tells something new already. */
  readonly isMore?: boolean;
}

/** What a user may say in mid-run before the model has been told any of it. */
const MAX_WAITING = 100;

export class MessageQueue {
  steeringMode: QueueMode = "all";
  followUpMode: QueueMode = "all";
  #steers: readonly UserMessage[] = [];
  #followUps: readonly UserMessage[] = [];

  get steers(): readonly UserMessage[] {
    return this.#steers;
  }

  get followUps(): readonly UserMessage[] {
    return this.#followUps;
  }

  /** Throws Fault `busy` when too much waits already. */
  addSteer(message: UserMessage): void {
    requireRoom("steer", this.#steers);
    this.#steers = [...this.#steers, message];
  }

  /** Throws Fault `busy` when too much waits already. */
  addFollowUp(message: UserMessage): void {
    requireRoom("follow up", this.#followUps);
    this.#followUps = [...this.#followUps, message];
  }

  /** What the model is to be told now: steers first; follow-ups only where the model has come to its end. */
  take({ atEnd, isMore = false }: Moment): Delivery | undefined {
    if (this.#steers.length > 0) {
      if (isMore && this.steeringMode !== "all") return undefined;
      const count = this.steeringMode === "all" ? this.#steers.length : 1;
      const messages = this.#steers.slice(0, count);
      this.#steers = this.#steers.slice(count);
      return { how: "steer", messages };
    }
    if (!atEnd || this.#followUps.length === 0) return undefined;
    const count = this.followUpMode === "all" ? this.#followUps.length : 1;
    const messages = this.#followUps.slice(0, count);
    this.#followUps = this.#followUps.slice(count);
    return { how: "followUp", messages };
  }

  /** Takes back all of it. */
  clear(): { readonly steers: readonly UserMessage[]; readonly followUps: readonly UserMessage[] } {
    const taken = { steers: this.#steers, followUps: this.#followUps };
    this.#steers = [];
    this.#followUps = [];
    return taken;
  }
}

function requireRoom(what: string, waiting: readonly UserMessage[]): void {
  if (waiting.length < MAX_WAITING) return;
  throw new Fault("busy", `Cannot ${what}: ${MAX_WAITING} messages wait already.`);
}
