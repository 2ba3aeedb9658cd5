/**
 * One connection: reads lines, runs each command in its lane (dispatch.ts), writes every reply and event through one writer.
 * Reading never waits for a command. What commands mean and how frames are spelled is passed in.
 */
import { Fault } from "../base/fault.ts";
import { type Line, type LineOptions, LineSplitter } from "../base/lines.ts";
import { type Commands, Dispatcher } from "./dispatch.ts";
import type { Codec, Event, Id, Outcome, Reply, Request } from "./frame.ts";
import type { LineWriter } from "./writer.ts";

export interface ConnectionOptions {
  readonly input: ReadableStream<Uint8Array>;
  readonly writer: LineWriter;
  readonly codec: Codec;
  readonly commands: Commands;
  readonly lines: LineOptions;
  /** What the peer is told of a line that is too long or not UTF-8. */
  readonly lineErrors: { readonly oversize: string; readonly invalid: string };
}

/** Commands that wait their turn or run; one more is answered with a fault. */
const MAX_COMMANDS = 1000;
/** Unwritten output (UTF-16 units) above which reading pauses, so that a peer that never reads can't fill the memory. */
const MAX_UNWRITTEN = 16 << 20;
/** How long an urgent command waits for the ordered one before it, in milliseconds. */
const PATIENCE = 1000;

/** Why a connection ended: the input did, `close` was called, or nobody reads the output any more. */
export type Ending = "end" | "closed" | "broken";

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #dispatcher: Dispatcher;
  readonly #closing = Promise.withResolvers<Ending>();
  readonly #waiting: (Request | Reply)[] = [];
  readonly #running = new Map<
    Request,
    { readonly controller: AbortController; readonly done: Promise<void> }
  >();
  /** The ordered command that runs. */
  #ordered: Request | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#dispatcher = new Dispatcher(options.commands);
  }

  /** Writes an event; settles when the peer keeps up with reading. */
  async emit(event: Event): Promise<void> {
    await this.#write(event);
  }

  /** Aborts the running request with this id; false when there is none. */
  cancel(id: Id): boolean {
    for (const [request, { controller }] of this.#running) {
      if (request.id !== id) continue;
      controller.abort(new Fault("cancelled", "The request was cancelled."));
      return true;
    }
    return false;
  }

  /** Stops reading. Commands that were read are still answered. */
  close(): void {
    this.#closing.resolve("closed");
  }

  /** Aborts every command that runs; those that wait are answered as their turn comes. */
  abortAll(): void {
    for (const { controller } of this.#running.values()) {
      controller.abort(new Fault("cancelled", "The connection is closing."));
    }
  }

  /** Serves until the input ends, `close` is called or the output breaks; then waits for the commands that were read. */
  async run(): Promise<Ending> {
    const { input, lines, writer } = this.#options;
    const reader = input.pipeThrough(new LineSplitter(lines)).getReader();
    const ending = await Promise.race([
      this.#read(reader),
      this.#closing.promise,
      writer.broken.then((): Ending => "broken"),
    ]);
    this.#closing.resolve(ending);
    reader.cancel().catch(() => {}); // a pending read of stdin may never settle; nobody waits for it
    if (ending === "broken") this.abortAll();
    while (this.#running.size > 0) await Promise.all(Array.from(this.#running.values(), ({ done }) => done));
    await writer.drain();
    return ending;
  }

  async #read(reader: ReadableStreamDefaultReader<Line>): Promise<Ending> {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return "end";
      this.#accept(value);
      if (this.#options.writer.pending > MAX_UNWRITTEN) await this.#options.writer.drain();
    }
  }

  #accept(line: Line): void {
    const { codec, lineErrors } = this.#options;
    const frame = line.kind === "line"
      ? codec.decode(line.text)
      : codec.unreadable(new Fault("parse_error", lineErrors[line.kind]));
    if (this.#waiting.length + this.#running.size >= MAX_COMMANDS) {
      const fault = new Fault("busy", `Cannot take ${frame.method}: ${MAX_COMMANDS} commands wait already.`);
      return void this.#write(replyTo(frame, { fault }));
    }
    const lane = frame.kind === "request" ? this.#dispatcher.lane(frame.method) : "ordered";
    if (frame.kind === "request" && lane === "concurrent") return this.#start(frame);
    this.#waiting.push(frame);
    if (lane === "urgent" && this.#ordered) this.#hurry(this.#ordered);
    this.#advance();
  }

  /** Starts what may start; the first command of an idle lane begins while its line is being read. */
  #advance(): void {
    while (!this.#ordered) {
      const next = this.#waiting.shift();
      if (!next) return;
      if (next.kind === "reply") void this.#write(next);
      else {
        if (this.#dispatcher.lane(next.method) === "ordered") this.#ordered = next;
        this.#start(next);
      }
    }
  }

  #hurry(ordered: Request): void {
    const timer = setTimeout(() => {
      if (this.#ordered === ordered) this.#running.get(ordered)?.controller.abort(overtaken());
    }, PATIENCE);
    Deno.unrefTimer(timer);
  }

  #start(request: Request): void {
    const controller = new AbortController();
    const { promise: done, resolve } = Promise.withResolvers<void>();
    this.#running.set(request, { controller, done });
    this.#answer(request, controller.signal).finally(() => {
      this.#running.delete(request);
      if (this.#ordered === request) this.#ordered = undefined;
      this.#advance();
      resolve();
    });
  }

  async #answer(request: Request, signal: AbortSignal): Promise<void> {
    const afterReply: (() => void)[] = [];
    const outcome = await this.#dispatcher.run(request, {
      id: request.id,
      signal,
      afterReply: (action) => void afterReply.push(action),
    });
    const written = this.#write(replyTo(request, outcome));
    for (const action of afterReply) action();
    await written;
  }

  async #write(frame: Reply | Event): Promise<void> {
    const line = this.#options.codec.encode(frame);
    if (line !== undefined) await this.#options.writer.write(line);
  }
}

function replyTo({ id, method }: Request | Reply, outcome: Outcome): Reply {
  return { kind: "reply", method, outcome, ...(id === undefined ? {} : { id }) };
}

function overtaken(): Fault {
  return new Fault("cancelled", "Cancelled: a command that cannot wait came after it.");
}
