/**
 * What the model may do in this mode: the tools of the databases, a few about documents and the plan, and those that the
 * host owns. A statement that changes something asks first; one that reads may be cut short when the user speaks.
 */
import * as z from "zod/mini";
import type { Toolbox } from "../../agent/toolbox.ts";
import { Fault } from "../../base/fault.ts";
import type { ToolOutput } from "../../tools/tool.ts";
import { type Approvals, isReading } from "./approvals.ts";
import type { HostTools } from "./host_tools.ts";
import type { Interrupts } from "./interrupts.ts";
import type { Emit } from "./message_teller.ts";
import type { OwnTool } from "./own_tool.ts";
import { refusalOf } from "./statement_rules.ts";

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
}

const SQL_TOOL = "execute_sql";
const SqlArguments = z.object({ query: z.string(), db_name: z.nullish(z.string()) });
/** How often a statement that takes its time is told of, in milliseconds. */
const TELL_MS = 1000;

export class OmpToolbox implements Toolbox {
  readonly #options: OmpToolboxOptions;

  constructor(options: OmpToolboxOptions) {
    this.#options = options;
  }

  specs() {
    const { inner, own, hostTools, allowed } = this.#options;
    const ours = [
      ...inner.specs(),
      ...own.map(({ name, description, parameters }) => ({ name, description, parameters })),
    ];
    const theirs = hostTools.tools.filter(({ name, isHidden }) => !isHidden || allowed?.includes(name));
    return [
      ...ours.filter(({ name }) => allowed === undefined || allowed.includes(name)),
      ...theirs.map(({ name, description, parameters }) => ({ name, description, parameters })),
    ];
  }

  /** Whether a tool of this name is ours, so that a host may not take it. */
  has(name: string): boolean {
    const { inner, own } = this.#options;
    return inner.specs().some((spec) => spec.name === name) || own.some((tool) => tool.name === name);
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

  async #runSql(args: unknown, { signal, callId }: Call): Promise<ToolOutput> {
    const { inner, approvals, interrupts, mayWrite, defaultDatabase } = this.#options;
    const given = SqlArguments.safeParse(args);
    const sql = given.data?.query ?? "";
    const refusal = mayWrite ? refusalOf(sql) : undefined;
    if (mayWrite && given.success && refusal === undefined) {
      await approvals.require({ sql, database: given.data.db_name ?? defaultDatabase, signal });
    }
    // the guard refuses it; the person is told instead of asked
    if (refusal) await this.#options.emit("notice", { level: "warning", message: refusal.text });
    const stopTelling = this.#keepTelling({ callId, args: given.data ?? {} });
    try {
      if (mayWrite && !isReading(sql)) return await inner.call(SQL_TOOL, args, { signal, callId });
      return await interrupts.guard(
        signal,
        (either) => inner.call(SQL_TOOL, args, { signal: either, callId }),
      );
    } finally {
      stopTelling();
    }
  }

  #keepTelling(
    { callId, args }: { callId: string; args: { query?: string; db_name?: string | null | undefined } },
  ) {
    const since = performance.now();
    const timer = setInterval(() => {
      const elapsedMs = Math.round(performance.now() - since);
      const content = [{ type: "text", text: `running ${Math.round(elapsedMs / 1000)} s` }];
      void this.#options.emit("tool_execution_update", {
        toolCallId: callId,
        toolName: SQL_TOOL,
        args,
        partialResult: { content, details: { elapsedMs, state: "running" } },
      });
    }, TELL_MS);
    return () => clearInterval(timer);
  }
}
