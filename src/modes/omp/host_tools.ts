/**
 * Tools that the host owns: offered to the model beside those of the databases, run by the host over the same connection.
 */
import * as z from "zod/mini";
import { abortable } from "../../base/abortable.ts";
import { Fault } from "../../base/fault.ts";
import { type Json, RawJson, toJson } from "../../base/json.ts";
import type { ToolOutput } from "../../tools/tool.ts";
import { newId } from "./dialogs.ts";
import { checkArguments, type JsonSchema } from "./json_schema_check.ts";
import type { Emit } from "./message_teller.ts";
import { ImageContent, TextContent, textOf } from "./messages.ts";

const Content = z.array(z.union([TextContent, ImageContent]));
const Result = z.object({ content: Content, details: z.optional(z.json()) });

export const HostToolUpdate = z.object({ id: z.string(), partialResult: Result });
export const HostToolResult = z.object({
  id: z.string(),
  result: Result,
  isError: z.optional(z.boolean()),
});
/** What is left of a frame of the wrong shape. */
export const HostToolId = z.object({ id: z.string() });

export interface HostTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly isHidden: boolean;
}

type HostResult = z.infer<typeof HostToolResult>;
/** What the host said at the end of a call, for whoever is told of it and for the session. */
export type HostAnswer = Pick<HostResult["result"], "content" | "details">;

interface OpenCall {
  readonly callId: string;
  readonly tool: HostTool;
  readonly args: Json;
  settle(result: HostResult | Fault): void;
}

export class HostTools {
  readonly #emit: Emit;
  readonly #open = new Map<string, OpenCall>();
  /** Of calls that are over and were not told of yet. */
  readonly #answers = new Map<string, HostAnswer>();
  #tools: readonly HostTool[] = [];
  #isClosed = false;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  get tools(): readonly HostTool[] {
    return this.#tools;
  }

  set(tools: readonly HostTool[]): void {
    this.#tools = tools;
  }

  /** Throws Fault: bad_request for arguments that the tool does not take, unavailable for what the host says. */
  async call(
    tool: HostTool,
    args: unknown,
    { signal, callId }: { readonly signal: AbortSignal; readonly callId: string },
  ): Promise<ToolOutput> {
    const given = z.json().parse(args);
    checkArguments(given, tool);
    if (this.#isClosed) throw gone();
    const id = newId();
    const { promise, resolve, reject } = Promise.withResolvers<HostResult>();
    const settle = (result: HostResult | Fault) => result instanceof Fault ? reject(result) : resolve(result);
    this.#open.set(id, { callId, tool, args: given, settle });
    try {
      await this.#emit("host_tool_call", { id, toolCallId: callId, toolName: tool.name, arguments: given });
      const result = await abortable(promise, signal);
      const output = toOutput(result);
      this.#answers.set(callId, result.result);
      return output;
    } catch (error) {
      if (!signal.aborted) throw error;
      await this.#emit("host_tool_cancel", { id: newId(), targetId: id });
      throw new Fault("cancelled", this.stopped(tool.name));
    } finally {
      this.#open.delete(id);
    }
  }

  /** Why a call of this tool that was under way has no result. */
  stopped(name: string): string {
    return this.#isClosed ? GONE : `Host tool "${name}" was aborted`;
  }

  /** What the host says on its way; calls that are over mean nothing. */
  async update({ id, partialResult }: z.infer<typeof HostToolUpdate>): Promise<void> {
    const call = this.#open.get(id);
    if (!call) return;
    const { callId: toolCallId, tool: { name: toolName }, args } = call;
    await this.#emit("tool_execution_update", {
      ...{ toolCallId, toolName, args },
      partialResult: new RawJson(toJson({ ...partialResult })),
    });
  }

  /** The host's own words for a call, once; undefined for calls of other tools and for those that failed. */
  takeAnswer(callId: string): HostAnswer | undefined {
    const answer = this.#answers.get(callId);
    this.#answers.delete(callId);
    return answer;
  }

  finish(result: HostResult): void {
    this.#open.get(result.id)?.settle(result);
  }

  /** The host's answer could not be read. */
  spoil(id: string): void {
    this.#open.get(id)?.settle(new Fault("unavailable", "Host returned a malformed result"));
  }

  /** The host is gone. */
  close(): void {
    this.#isClosed = true;
    for (const call of this.#open.values()) call.settle(gone());
  }
}

const GONE = "RPC client disconnected before host tool execution completed";

function gone(): Fault {
  return new Fault("unavailable", GONE);
}

function toOutput({ result, isError }: HostResult): ToolOutput {
  const text = textOf(result.content);
  if (isError) throw new Fault("unavailable", text || "Host tool execution failed");
  const images = result.content.filter(({ type }) => type === "image").length;
  const note = images === 0 ? "" : `\n[${images} image(s), shown to the user]`;
  return { json: text + note };
}
