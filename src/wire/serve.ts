/**
 * One connection: reads lines, runs each command in its lane (dispatch.ts), writes every reply and event through one writer.
 * Reading never waits for a command. What commands mean and how frames are spelled is passed in.
 */
import { Fault, toFault } from "../base/fault.ts";
import type { Log } from "../base/log.ts";
import { type Line, type LineOptions, LineReader } from "../base/lines.ts";
import { type Commands, Dispatcher } from "./dispatch.ts";
import type { Codec, Event, Id, Outcome, Reply, Request } from "./frame.ts";
import { Lanes } from "./lanes.ts";
import type { LineWriter } from "./writer.ts";

export interface ConnectionOptions {
  readonly input: ReadableStream<Uint8Array>;
  readonly writer: LineWriter;
  readonly codec: Codec;
  readonly commands: Commands;
  readonly lines: LineOptions;
  /** Learns of the defects that the peer is only told the existence of. */
  readonly log: Log;
  /** What the peer is told of a line that is too long or not UTF-8. */
  readonly lineErrors: { readonly oversize: string; readonly invalid: string };
}

/** Characters of unanswered lines that are held at least; more where one line may be longer. */
const MIN_HELD = 16 << 20;
/** Refusals that may wait to be written; then reading pauses, so that a peer that never reads can't fill the memory. */
const MAX_REFUSALS = 10_000;

/** Why a connection ended: the input did, `close` was called, or nobody reads the output any more. */
export type Ending = "end" | "closed" | "broken";

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #dispatcher: Dispatcher;
  readonly #lanes: Lanes;
  readonly #closing = Promise.withResolvers<Ending>();
  #isClosing = false;
  #refusals = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#dispatcher = new Dispatcher(options.commands, options.log);
    this.#lanes = new Lanes(Math.max(MIN_HELD, options.lines.maxBytes));
  }

  /** Writes an event; settles when the peer keeps up with reading. */
  async emit(event: Event): Promise<void> {
    const line = this.#options.codec.encode(event);
    if (line !== undefined) await this.#options.writer.write(line);
  }

  /** Aborts every running or waiting request with this id; false when there is none. */
  cancel(id: Id): boolean {
    return this.#lanes.cancel(id);
  }

  /** Stops reading. Commands that were read are still answered. */
  close(): void {
    this.#end("closed");
  }

  /** Aborts every command that runs or waits; each is still answered in its turn. */
  abortAll(): void {
    this.#lanes.abortAll(new Fault("cancelled", "The connection is closing."));
  }

  /** Serves until the input ends, `close` is called or the output breaks; then waits for the commands that were read. */
  async run(): Promise<Ending> {
    const { input, lines, writer } = this.#options;
    const reader = new LineReader(input, lines);
    this.#read(reader).then(() => this.#end("end"), this.#closing.reject);
    writer.broken.then(() => this.#end("broken"));
    const ending = await this.#closing.promise;
    reader.cancel().catch(() => {}); // a pending read of stdin may never settle; nobody waits for it
    if (ending === "broken") this.abortAll();
    await this.#lanes.idle();
    await writer.drain();
    return ending;
  }

  #end(ending: Ending): void {
    this.#isClosing = true;
    this.#closing.resolve(ending);
  }

  async #read(reader: LineReader): Promise<void> {
    while (true) {
      const line = await reader.next().catch(() => undefined); // an input that fails has ended
      if (line === undefined || this.#isClosing) return;
      this.#accept(line);
      if (this.#refusals < MAX_REFUSALS) continue;
      await this.#options.writer.drain();
      this.#refusals = 0;
    }
  }

  #accept(line: Line): void {
    const { codec, lineErrors } = this.#options;
    const frame = line.kind === "line"
      ? codec.decode(line.text)
      : codec.unreadable(new Fault("parse_error", lineErrors[line.kind]));
    const controller = new AbortController();
    const isTaken = this.#lanes.take({
      id: frame.id,
      lane: frame.kind === "request" ? this.#dispatcher.lane(frame.method) : "reply",
      size: line.kind === "line" ? line.text.length : 0,
      controller,
      run: () => frame.kind === "request" ? this.#answer(frame, controller.signal) : this.#reply(frame),
    });
    if (isTaken) return;
    this.#refusals++;
    const what = frame.method === "" ? "the request" : frame.method;
    const fault = new Fault("busy", `Cannot take ${what}: too many commands wait. Read their answers first.`);
    void this.#reply(replyTo(frame, { fault }));
  }

  async #answer(request: Request, signal: AbortSignal): Promise<void> {
    const afterReply: (() => void)[] = [];
    const outcome = signal.aborted ? { fault: toFault(signal.reason) } : await this.#dispatcher.run(request, {
      id: request.id,
      signal,
      afterReply: (action) => void afterReply.push(action),
    });
    const written = this.#reply(replyTo(request, outcome));
    for (const action of afterReply) action();
    await written;
  }

  async #reply(reply: Reply): Promise<void> {
    const line = this.#encode(reply);
    if (line !== undefined) await this.#options.writer.write(line);
  }

  /** Data that has no JSON text (nested too deeply, too long for a string) is a fault that the peer is told. */
  #encode(reply: Reply): string | undefined {
    const { codec, log } = this.#options;
    try {
      return codec.encode(reply);
    } catch (error) {
      log(`The answer to ${reply.method} could not be written`, { level: "error", error });
      return codec.encode(replyTo(reply, { fault: toFault(error) }));
    }
  }
}

function replyTo({ id, method }: Request | Reply, outcome: Outcome): Reply {
  return { kind: "reply", method, outcome, ...(id === undefined ? {} : { id }) };
}
