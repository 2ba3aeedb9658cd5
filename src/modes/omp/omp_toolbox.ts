/**
 * What the model may do in this mode: the tools of the databases, a few about documents and the plan, and those that the
 * host owns. A statement that changes something asks first; one that reads may be cut short when the user speaks.
 */
import * as z from "zod/mini";
import type { Toolbox } from "../../agent/toolbox.ts";
import { Fault, type FaultCode } from "../../base/fault.ts";
import type { ToolOutput } from "../../tools/tool.ts";
import { type Approvals, isReading } from "./approvals.ts";
import type { HostTools } from "./host_tools.ts";
import type { Interrupts } from "./interrupts.ts";
import type { Display } from "./display.ts";
import type { Emit } from "./message_teller.ts";
import type { OwnTool } from "./own_tool.ts";
import { refusalOf } from "./statement_rules.ts";
import { watched } from "./statement_watch.ts";

type Call = Parameters<Toolbox["call"]>[2];

export interface OmpToolboxOptions {
  /** The tools of the databases. */
  readonly inner: Toolbox;
  readonly own: readonly OwnTool[];
  readonly hostTools: HostTools;
  /** Names that the model may see; all when left out. */
  readonly allowed: readonly string[] | undefined;
  readonly approvals: Approvals;
  readonly interrupts: Interrupts;
  /** Whether statements may change data at all. */
  readonly mayWrite: boolean;
  readonly defaultDatabase: string;
  readonly emit: Emit;
  readonly display: Display;
}

const SQL_TOOL = "execute_sql";
/** What a statement is refused for before it reaches a database. */
const GUARDED: ReadonlySet<FaultCode> = new Set([
  ...["not_read_only", "multiple_statements", "forbidden_function", "bad_limit", "not_understood"] as const,
]);
const SqlArguments = z.object({ query: z.string(), db_name: z.nullish(z.string()) });

export class OmpToolbox implements Toolbox {
  readonly #options: OmpToolboxOptions;
  #blocked = 0;

  constructor(options: OmpToolboxOptions) {
    this.#options = options;
  }

  /** How many statements the guard has refused. */
  get blocked(): number {
    return this.#blocked;
  }

  specs() {
    const { inner, hostTools, allowed } = this.#options;
    const ours = [
      ...inner.specs(),
      ...this.#own().map(({ name, description, parameters }) => ({ name, description, parameters })),
    ];
    const theirs = hostTools.tools.filter(({ name, isHidden }) => !isHidden || allowed?.includes(name));
    return [
      ...ours.filter(({ name }) => allowed === undefined || allowed.includes(name)),
      ...theirs.map(({ name, description, parameters }) => ({ name, description, parameters })),
    ];
  }

  /** Whether a tool of this name is ours, so that a host may not take it. */
  has(name: string): boolean {
    const ours = [...this.#options.inner.specs(), ...this.#own()];
    return ours.some((tool) => tool.name === name);
  }

  /** Without those that would have to be named, and are not. */
  #own(): readonly OwnTool[] {
    const { own, allowed } = this.#options;
    return own.filter(({ name, isNamedOnly }) => !isNamedOnly || allowed?.includes(name));
  }

  async call(name: string, args: unknown, { signal, callId }: Call): Promise<ToolOutput> {
    const call = { signal, callId };
    const { inner, own, hostTools } = this.#options;
    if (!this.specs().some((spec) => spec.name === name)) {
      const names = this.specs().map((spec) => spec.name).join(", ");
      throw new Fault("bad_request", `Cannot call this tool: there are only ${names}.`);
    }
    const host = hostTools.tools.find((tool) => tool.name === name);
    if (host) return await hostTools.call(host, args, call);
    const tool = own.find((each) => each.name === name);
    if (tool) return await tool.run(args, call);
    return name === SQL_TOOL ? await this.#runSql(args, call) : await inner.call(name, args, call);
  }

  /** A statement of the person, judged and asked about as the model's are, but no part of a run. */
  async runForUser(args: { query: string; db_name?: string }, signal: AbortSignal): Promise<ToolOutput> {
    return await this.#runSql(args, { signal, callId: undefined });
  }

  /** `callId`: of the model's call that is told of while it runs. */
  async #runSql(
    args: unknown,
    { signal, callId }: { readonly signal: AbortSignal; readonly callId: string | undefined },
  ): Promise<ToolOutput> {
    const { inner, approvals, interrupts, mayWrite, defaultDatabase, display } = this.#options;
    const given = SqlArguments.safeParse(args);
    const sql = given.data?.query ?? "";
    const refusal = mayWrite ? refusalOf(sql) : undefined;
    if (mayWrite && given.success && refusal === undefined) {
      await approvals.require({ sql, database: given.data.db_name ?? defaultDatabase, signal });
    }
    // the guard refuses it; the person is told instead of asked
    if (refusal) await this.#options.emit("notice", { level: "warning", message: refusal.text });
    const call = (either: AbortSignal) =>
      inner.call(SQL_TOOL, args, { signal: either, callId: callId ?? "sql" }).catch((error: unknown) => {
        if (error instanceof Fault && GUARDED.has(error.code)) this.#blocked++;
        throw error;
      });
    const tick = callId === undefined ? {} : { tick: this.#teller(callId, given.data ?? {}) };
    return await watched({ display, sql, ...tick }, async () => {
      const isCuttable = callId !== undefined && (!mayWrite || isReading(sql));
      return await (isCuttable ? interrupts.guard(signal, call) : call(signal));
    });
  }

  #teller(toolCallId: string, args: z.infer<typeof SqlArguments> | Record<string, never>) {
    return async (elapsedMs: number) => {
      const content = [{ type: "text", text: `running ${Math.round(elapsedMs / 1000)} s` }];
      const partialResult = { content, details: { elapsedMs, state: "running" } };
      await this.#options.emit("tool_execution_update", {
        ...{ toolCallId, toolName: SQL_TOOL, args, partialResult },
      });
    };
  }
}
