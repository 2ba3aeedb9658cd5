/**
 * One connection: reads lines, runs their commands in order or at once, writes every reply and event through one writer.
 * Reading never waits for a command. What commands mean and how frames are spelled is passed in.
 */
import { Fault } from "../base/fault.ts";
import { type Line, type LineOptions, LineSplitter } from "../base/lines.ts";
import { type CommandContext, type Commands, Dispatcher } from "./dispatch.ts";
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

/** Commands that wait their turn; one more is answered with a fault. */
const MAX_QUEUED = 1000;
/** Unwritten output (UTF-16 units) above which reading pauses, so that a peer that never reads can't fill the memory. */
const MAX_UNWRITTEN = 16 << 20;

/** Why a connection ended: the input did, `close` was called, or nobody reads the output any more. */
export type Ending = "end" | "closed" | "broken";

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #dispatcher: Dispatcher;
  readonly #closing = Promise.withResolvers<Ending>();
  readonly #running = new Map<Request, AbortController>();
  readonly #urgent = new Set<Promise<void>>();
  #ordered: Promise<void> = Promise.resolve();
  #queued = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#dispatcher = new Dispatcher(options.commands);
  }

  /** Writes an event; settles when the peer keeps up with reading. */
  async emit(event: Event): Promise<void> {
    await this.#write(event);
  }

  /** Aborts the running or waiting request with this id; false when there is none. */
  cancel(id: Id): boolean {
    for (const [request, controller] of this.#running) {
      if (request.id !== id) continue;
      controller.abort(new Fault("cancelled", "The request was cancelled."));
      return true;
    }
    return false;
  }

  /** Stops reading. Replies that are under way are still written. */
  close(): void {
    this.#closing.resolve("closed");
  }

  /** Serves until the input ends, `close` is called or the output breaks; waits for the commands that have begun. */
  async run(): Promise<Ending> {
    const { input, lines, writer } = this.#options;
    const reader = input.pipeThrough(new LineSplitter(lines)).getReader();
    const reading = this.#read(reader);
    const ending = await Promise.race([
      reading,
      this.#closing.promise,
      writer.broken.then((): Ending => "broken"),
    ]);
    this.#closing.resolve(ending);
    reader.cancel().catch(() => {}); // a pending read of stdin may never settle; nobody waits for it
    if (ending === "broken") this.#abortAll();
    await Promise.all([this.#ordered, ...this.#urgent]);
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
    if (frame.kind === "request" && this.#dispatcher.isUrgent(frame.method)) return this.#atOnce(frame);
    if (this.#queued < MAX_QUEUED) return this.#inOrder(frame);
    const { id, method } = frame;
    const fault = new Fault("busy", `Cannot take ${method}: ${MAX_QUEUED} commands wait already.`);
    void this.#write({ kind: "reply", method, outcome: { fault }, ...(id === undefined ? {} : { id }) });
  }

  #atOnce(request: Request): void {
    const running = this.#run(request).finally(() => this.#urgent.delete(running));
    this.#urgent.add(running);
  }

  #inOrder(frame: Request | Reply): void {
    this.#queued++;
    const before = this.#ordered;
    this.#ordered = (async () => {
      await before;
      this.#queued--;
      await (frame.kind === "request" ? this.#run(frame) : this.#write(frame));
    })();
  }

  async #run(request: Request): Promise<void> {
    const controller = new AbortController();
    this.#running.set(request, controller);
    const afterReply: (() => void)[] = [];
    const context: CommandContext = {
      id: request.id,
      signal: controller.signal,
      afterReply: (action) => void afterReply.push(action),
    };
    const outcome: Outcome = await this.#dispatcher.run(request, context);
    this.#running.delete(request);
    const { id, method } = request;
    const written = this.#write({ kind: "reply", method, outcome, ...(id === undefined ? {} : { id }) });
    for (const action of afterReply) action();
    await written;
  }

  async #write(frame: Reply | Event): Promise<void> {
    const line = this.#options.codec.encode(frame);
    if (line !== undefined) await this.#options.writer.write(line);
  }

  #abortAll(): void {
    for (const controller of this.#running.values()) {
      controller.abort(new Fault("cancelled", "Nobody reads the answers any more."));
    }
  }
}
