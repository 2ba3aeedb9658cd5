/**
 * When each command of a connection begins: in its lane (dispatch.ts), with a limit on how many and how much may wait.
 * It knows neither how frames are spelled nor how replies are written.
 */
import { Fault } from "../base/fault.ts";
import type { Lane } from "./dispatch.ts";
import type { Id } from "./frame.ts";

/** Something to be done in its turn. `reply`: it begins in its turn and holds up no later one. */
export interface Job {
  readonly id: Id | undefined;
  readonly lane: Lane | "reply";
  /** Characters of the line it came in. */
  readonly size: number;
  readonly controller: AbortController;
  /** Never rejects; settles when the reply has been taken by the writer. */
  run(): Promise<void>;
}

/** Jobs that wait or run. */
const MAX_JOBS = 1000;
/** How long an urgent job waits for the ordered ones before it, in milliseconds. */
const PATIENCE = 1000;

export class Lanes {
  readonly #waiting: Job[] = [];
  readonly #running = new Map<Job, Promise<void>>();
  /** Timers of the urgent jobs that wait, or have just begun. */
  readonly #timers = new Map<Job, ReturnType<typeof setTimeout>>();
  /** The job that later ones wait for. */
  #first: Job | undefined;
  readonly #maxSize: number;
  #size = 0;

  /** `maxSize`: characters of the lines of all jobs together; a job that is alone may be larger. */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /** False when too many jobs, or too large ones, wait and run already. An idle lane begins the job at once. */
  take(job: Job): boolean {
    const count = this.#waiting.length + this.#running.size;
    if (count >= MAX_JOBS || (count > 0 && this.#size + job.size > this.#maxSize)) return false;
    this.#size += job.size;
    if (job.lane === "concurrent") {
      this.#start(job);
      return true;
    }
    this.#waiting.push(job);
    this.#advance();
    if (job.lane === "urgent" && this.#waiting.includes(job)) this.#hurry(job);
    return true;
  }

  /** Aborts every running or waiting job with this id; false when there is none. */
  cancel(id: Id): boolean {
    const found = [...this.#running.keys(), ...this.#waiting].filter((job) => job.id === id);
    for (const job of found) job.controller.abort(new Fault("cancelled", "The request was cancelled."));
    return found.length > 0;
  }

  /** Aborts all that runs or waits; each is still answered in its turn. */
  abortAll(reason: Fault): void {
    for (const job of [...this.#running.keys(), ...this.#waiting]) job.controller.abort(reason);
  }

  /** Settles when nothing runs or waits. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  #advance(): void {
    while (!this.#first) {
      const next = this.#waiting.shift();
      if (!next) return;
      if (next.lane !== "reply") this.#first = next;
      this.#start(next);
      // What an urgent job can answer at once, it answers in its turn.
      if (next.lane === "urgent") this.#timers.set(next, setTimeout(() => this.#release(next)));
    }
  }

  #release(job: Job): void {
    if (this.#first !== job) return;
    this.#first = undefined;
    this.#advance();
  }

  #start(job: Job): void {
    this.#stopTimer(job);
    const finished = job.run().then(() => {
      this.#stopTimer(job);
      this.#running.delete(job);
      this.#size -= job.size;
      this.#release(job);
    });
    this.#running.set(job, finished);
  }

  #stopTimer(job: Job): void {
    clearTimeout(this.#timers.get(job));
    this.#timers.delete(job);
  }

  /** Cancels, after a while, the ordered jobs that still keep this one waiting. */
  #hurry(urgent: Job): void {
    const timer = setTimeout(() => {
      const reason = new Fault("cancelled", "Cancelled: a command that cannot wait came after it.");
      const before = this.#waiting.slice(0, this.#waiting.indexOf(urgent));
      for (const job of this.#first ? [this.#first, ...before] : before) {
        if (job.lane === "ordered") job.controller.abort(reason);
      }
    }, PATIENCE);
    this.#timers.set(urgent, timer);
  }
}
