/**
 * The typed dispatcher: a table of commands, each with a schema for its parameters.
 * It finds the command, checks the parameters and runs it; order and cancellation are serve.ts's.
 */
import type * as z from "zod/mini";
import { Fault, toFault } from "../base/fault.ts";
import type { Log } from "../base/log.ts";
import type { Json } from "../base/json.ts";
import type { Id, Outcome, Request } from "./frame.ts";

/** What a command is told besides its parameters. */
export interface CommandContext {
  readonly id: Id | undefined;
  /** Aborted when the peer cancels the request or the connection ends. */
  readonly signal: AbortSignal;
  /** Runs once the reply has been handed to the writer: what must not precede the reply goes here. */
  afterReply(action: () => void): void;
}

/**
 * How a command stands to the others of its connection. `ordered`: begins when the one before it has been answered.
 * `urgent`: begins in its turn too, but holds up no later one unless it is answered at once, and an ordered command that
 * it waits for is cancelled after a second. `concurrent`: begins as soon as it is read.
 */
export type Lane = "ordered" | "urgent" | "concurrent";

export interface Command {
  readonly lane: Lane;
  run(params: unknown, context: CommandContext): Promise<Json | undefined>;
}

export type Commands = { readonly [method: string]: Command };

export interface CommandSpec<Schema extends z.ZodMiniType> {
  /** The text of a check's first issue is what the peer reads. */
  readonly params: Schema;
  /** `ordered` when left out. */
  readonly lane?: Lane;
  run(params: z.infer<Schema>, context: CommandContext): Promise<Json | undefined> | Json | undefined;
}

/** One entry of a command table, its parameters typed by its schema. */
export function command<Schema extends z.ZodMiniType>(spec: CommandSpec<Schema>): Command {
  return {
    lane: spec.lane ?? "ordered",
    run: async (params, context) => {
      const parsed = spec.params.safeParse(params);
      if (!parsed.success) {
        throw new Fault("bad_request", parsed.error.issues[0]?.message ?? "Invalid parameters");
      }
      return await spec.run(parsed.data, context);
    },
  };
}

export class Dispatcher {
  readonly #commands: ReadonlyMap<string, Command>;
  readonly #log: Log;

  constructor(commands: Commands, log: Log) {
    this.#commands = new Map(Object.entries(commands));
    this.#log = log;
  }

  lane(method: string): Lane {
    return this.#commands.get(method)?.lane ?? "ordered";
  }

  /** Never throws: every failure is an outcome. */
  async run(request: Request, context: CommandContext): Promise<Outcome> {
    const found = this.#commands.get(request.method);
    if (!found) return { fault: new Fault("unknown_command", `Unknown command: ${request.method}`) };
    try {
      return { data: await found.run(request.params, context) };
    } catch (error) {
      const fault = toFault(error);
      if (fault.code === "internal") {
        this.#log(`The command ${request.method} failed`, { level: "error", error });
      }
      return { fault };
    }
  }
}
