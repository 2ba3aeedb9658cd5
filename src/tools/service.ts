/**
 * The tool service: the one place through which a model or an MCP client uses the tools.
 * It checks arguments, finds the database a call means, and turns whatever goes wrong into a Fault.
 */
import * as z from "zod/mini";
import { abortable } from "../base/abortable.ts";
import { Fault, toFault } from "../base/fault.ts";
import type { Database, LinePlace, RowCaps } from "../db/driver.ts";
import { type ArgumentsSchema, argumentsSchema, type ObjectSchema } from "./json_schema.ts";
import { keepTelling } from "./progress.ts";
import { SerialQueue } from "./queue.ts";
import { TOOLS } from "./registry.ts";
import type { DatabaseInfo, DatabaseSet, KnowledgeSource, RowKeeper, Tool, ToolOutput } from "./tool.ts";

export interface ToolServiceOptions {
  readonly databases: DatabaseSet;
  readonly rows: RowKeeper;
  /** Absent where nothing was written down about the databases. */
  readonly knowledge?: KnowledgeSource | undefined;
  readonly caps: RowCaps;
  /** UTF-8 bytes that one answer may have. */
  readonly maxBytes: number;
  /**
   * `when-several`: there is a db_name, required and one of the aliases, if several databases are selected; list_dbs
   * likewise. `optional`: db_name and list_dbs are always there, and db_name may be left out.
   */
  readonly databaseArgument: "when-several" | "optional";
  /** One operation at a time, each within 45 s of its call; otherwise calls overlap and have no deadline here. */
  readonly serial: boolean;
}

export interface ToolSpec {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: ArgumentsSchema;
  readonly output: ObjectSchema;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly callId?: string;
  /** Told after a second and then every five how a call stands; for a service that is serial. */
  readonly progress?: (message: string) => void;
}

interface Bounds {
  readonly signal: AbortSignal;
  /** UTF-8 bytes that an answer may have. */
  readonly maxBytes: number;
}

type Operation<Result> = (signal: AbortSignal, place?: LinePlace) => Promise<Result>;

/** Below the 60 s after which MCP clients give a call up. */
const DEADLINE_MS = 45_000;
const DB_NAME = "db_name";

interface Offer {
  readonly tool: Tool;
  /** What the arguments must be, db_name included. */
  readonly schema: z.ZodMiniObject;
}

export class ToolService {
  readonly #options: ToolServiceOptions;
  readonly #offers = new Map<string, Offer>();
  readonly #queue = new SerialQueue(DEADLINE_MS);
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: ToolServiceOptions) {
    this.#options = options;
    const { databases, databaseArgument } = options;
    const isChoice = databaseArgument === "optional" || databases.list.length > 1;
    for (const tool of TOOLS) {
      if (tool.choosesDatabase && !isChoice) continue;
      if (tool.exportsRows && !options.rows.export) continue;
      if (tool.readsKnowledge && !options.knowledge) continue;
      const schema = tool.needsDatabase && isChoice
        ? z.extend(tool.arguments, { [DB_NAME]: z.optional(z.string()) })
        : tool.arguments;
      this.#offers.set(tool.name, { tool, schema });
    }
  }

  /** In a fixed order, the same for the life of the service. */
  specs(): ToolSpec[] {
    return Array.from(this.#offers.values(), (offer) => {
      const { name, title, description, output } = offer.tool;
      return { name, title, description, output, parameters: this.#parameters(offer) };
    });
  }

  has(name: string): boolean {
    return this.#offers.has(name);
  }

  /** `args` is what the caller sent, unchecked. Throws nothing but Faults. */
  async call(name: string, args: unknown, options: CallOptions): Promise<ToolOutput> {
    return await this.#run(async () => {
      const offer = this.#offers.get(name);
      if (!offer) throw new Fault("bad_request", `Cannot call this tool: there are only ${this.#names()}.`);
      const { database, operation } = this.#operation(offer, { args, callId: options.callId });
      if (!offer.tool.needsDatabase) return await operation(options.signal);
      return await this.#inTurn(operation, { ...options, line: offer.tool.waitsInEngine && database });
    }, options);
  }

  /** The selected databases, in their order. */
  get databases(): readonly DatabaseInfo[] {
    return this.#options.databases.list;
  }

  /** What is no tool but needs a database takes its turn among the calls. Throws nothing but Faults. */
  async onDatabase<Result>(
    name: string,
    work: (database: Database, bounds: Bounds) => Promise<Result>,
    options: CallOptions,
  ): Promise<Result> {
    const { databases, maxBytes } = this.#options;
    const operation: Operation<Result> = async (signal) =>
      await work(await abortable(databases.get(name), signal), { signal, maxBytes });
    return await this.#run(() => this.#inTurn(operation, options), options);
  }

  /** Settles when all calls that were made have ended. */
  async whenIdle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #run<Result>(work: () => Promise<Result>, { signal }: CallOptions): Promise<Result> {
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      if (!signal.aborted || error instanceof Fault) throw toFault(error);
      throw new Fault("cancelled", "The call was cancelled.", { cause: error });
    } finally {
      this.#running.delete(running);
    }
  }

  #operation(
    { tool, schema }: Offer,
    call: { args: unknown; callId: string | undefined },
  ): { database: string; operation: Operation<ToolOutput> } {
    const { database, rest } = this.#read({ tool, schema }, call.args);
    const { databases, caps, maxBytes, rows, knowledge } = this.#options;
    const extras = {
      ...call.callId === undefined ? {} : { callId: call.callId },
      ...knowledge === undefined ? {} : { knowledge },
    };
    const { list } = databases;
    const operation: Operation<ToolOutput> = async (signal, place) => {
      const get = (name: string) => abortable(databases.get(name), signal);
      const context = { databases: { list, get }, database, caps, maxBytes, rows, signal, place, ...extras };
      return await tool.run(rest, context);
    };
    return { database, operation };
  }

  async #inTurn<Result>(
    operation: Operation<Result>,
    { signal, progress, line }: CallOptions & { readonly line?: string | undefined },
  ): Promise<Result> {
    if (!this.#options.serial) return await operation(signal);
    const place = this.#queue.enter(line);
    const stopTelling = progress && keepTelling(() => progress(place.describe()));
    try {
      return await place.run((turn) => operation(turn.signal, turn), signal);
    } finally {
      stopTelling?.();
    }
  }

  #names(): string {
    return [...this.#offers.keys()].join(", ");
  }

  #parameters({ tool, schema }: Offer): ArgumentsSchema {
    const own = argumentsSchema(tool.arguments);
    if (!(DB_NAME in schema.shape)) return own;
    if (this.#options.databaseArgument === "optional") {
      const description = "Alias from list_dbs; may be left out when there is one database";
      return { ...own, properties: { ...own.properties, [DB_NAME]: { type: "string", description } } };
    }
    const aliases = this.#options.databases.list.map(({ name }) => name);
    return {
      ...own,
      properties: { ...own.properties, [DB_NAME]: { type: "string", enum: aliases } },
      required: [...own.required ?? [], DB_NAME],
    };
  }

  #read({ tool, schema }: Offer, args: unknown): { database: string; rest: Record<string, unknown> } {
    const given = withoutNulls(args ?? {});
    const parsed = schema.safeParse(given);
    if (!parsed.success) {
      const allowed = Object.keys(schema.shape).join(", ") || "none";
      const what = problem(parsed.error.issues[0], given);
      throw new Fault("bad_request", `Cannot call ${tool.name}: ${what}. Its arguments: ${allowed}.`);
    }
    const { [DB_NAME]: name, ...rest } = parsed.data;
    return { database: tool.needsDatabase ? this.#database(name) : "", rest };
  }

  #database(name: unknown): string {
    const { list } = this.#options.databases;
    const aliases = list.map((database) => database.name).join(", ");
    const [first] = list;
    if (name === undefined) {
      if (first && list.length === 1) return first.name;
      throw new Fault("db_required", `Cannot choose a database: pass one of these as db_name: ${aliases}.`);
    }
    const found = list.find((database) => database.name === name);
    if (found) return found.name;
    throw new Fault("unknown_database", `Cannot find the database: db_name must be one of ${aliases}.`);
  }
}

/** Models often send null for an argument they leave out. */
function withoutNulls(args: unknown): unknown {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return args;
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

function problem(issue: z.core.$ZodIssue | undefined, given: unknown): string {
  if (issue?.code === "unrecognized_keys") {
    return `it has no argument ${JSON.stringify(issue.keys[0]?.slice(0, 60))}`;
  }
  const name = issue?.path.join(".") || "the arguments";
  const isMissing = issue?.path.length === 1 && typeof given === "object" && given !== null &&
    !(name in given);
  if (isMissing) return `${name} is missing`;
  return `${name} must be ${issue?.code === "invalid_type" ? `of type ${issue.expected}` : "valid"}`;
}
