/**
 * Helpers of a run: each works on one assignment with the reading tools of the databases, keeps a transcript of its own,
 * and is told of as much as the host wants to know. They never change data and never call helpers themselves.
 */
import * as z from "zod/mini";
import { Session } from "../../agent/session.ts";
import type { Toolbox } from "../../agent/toolbox.ts";
import { Fault } from "../../base/fault.ts";
import { type Json, toJson } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";
import { isReading } from "./approvals.ts";
import type { Emit } from "./message_teller.ts";
import { type OmpMessage, textOf } from "./messages.ts";
import { type OwnTool, ownTool } from "./own_tool.ts";
import { RunProjection } from "./run_projection.ts";
import type { SessionTree } from "./session_tree.ts";
import type { Answerer } from "./spelling.ts";
import { readTranscript, type TranscriptPart } from "./transcript.ts";

/** What each helper is for: its instructions. */
const AGENTS = {
  "schema-scout":
    "You map unknown schemas: list tables, look at their structure, count and sample. Report what there is and how " +
    "it is connected, and change nothing.",
  "query-verifier":
    "You check a figure by another route: derive it again with different SQL, compare, and say whether it holds.",
  "query-optimizer":
    "You look at how a statement is run (EXPLAIN without ANALYZE only) and say how it could be made cheaper.",
} as const;

const NAMES = [
  "schema-scout",
  "query-verifier",
  "query-optimizer",
] as const satisfies readonly (keyof typeof AGENTS)[];
const MAX_TASKS = 4;
/** Progress of one helper is told at most so often, in milliseconds. */
const PROGRESS_MS = 150;
const MAX_TRANSCRIPTS = 256;
const MAX_RECENT = 20;

type Status = "running" | "completed" | "failed" | "aborted";
export type Level = "off" | "progress" | "events";

interface Helper {
  readonly id: string;
  readonly index: number;
  readonly agent: string;
  readonly assignment: string;
  readonly parentToolCallId: string;
  readonly startedAt: number;
  readonly tree: SessionTree;
  status: Status;
  currentTool: string | undefined;
  currentToolArgs: string | undefined;
  toolCount: number;
  /** The last ones. */
  readonly recentTools: { readonly tool: string; readonly args: string; readonly endMs: number }[];
  requests: number;
  tokens: number;
  cost: number;
  output: string;
  toldAt: number;
}

export interface SubagentOptions {
  readonly emit: Emit;
  readonly inner: Toolbox;
  readonly log: Log;
  /** The session that asks; known when a helper begins. */
  session(): Session;
  answerer(): Answerer;
  /** A transcript of its own for a helper, beside the session's. */
  transcript(name: string): SessionTree;
}

export class Subagents {
  level: Level = "off";
  readonly #options: SubagentOptions;
  readonly #live = new Map<string, Helper>();
  readonly #transcripts = new Map<string, string>();
  #count = 0;

  constructor(options: SubagentOptions) {
    this.#options = options;
  }

  /** The tool by which the model gives work away. */
  get tool(): OwnTool {
    return ownTool({
      name: "task",
      description:
        `Gives work to helpers that run side by side and only read. Agents: ${NAMES.join(", ")}. ` +
        "Use it when parts of the work do not depend on each other; each assignment must say all that the helper needs.",
      arguments: z.object({
        agent: z.enum(NAMES),
        tasks: z.array(z.object({ assignment: z.string() })).check(z.minLength(1), z.maxLength(MAX_TASKS)),
      }),
      run: async ({ agent, tasks }, { signal, callId }) => {
        const reports = await Promise.all(
          tasks.map(async ({ assignment }) => await this.#work({ agent, assignment, callId, signal })),
        );
        return { json: toJson({ reports }) };
      },
    });
  }

  /** Those that work now. */
  list(): Json[] {
    return [...this.#live.values()].toSorted((a, b) => a.index - b.index).map((helper) => ({
      ...about(helper),
      id: helper.id,
      status: helper.status,
      sessionFile: helper.tree.path,
      task: helper.assignment,
      lastUpdate: helper.toldAt,
      progress: progressOf(helper),
    }));
  }

  /** Throws Fault: bad_request where neither is named, unavailable for what is no transcript of this process. */
  async read(
    wanted: { subagentId?: string | undefined; sessionFile?: string | undefined; fromByte: number },
  ): Promise<TranscriptPart> {
    const { subagentId, sessionFile, fromByte } = wanted;
    if (subagentId === undefined && sessionFile === undefined) {
      throw new Fault("bad_request", "get_subagent_messages requires subagentId or sessionFile");
    }
    const path = subagentId === undefined ? sessionFile : this.#transcripts.get(subagentId);
    if (path === undefined) {
      throw new Fault("unavailable", `Unknown subagent or session file unavailable: ${subagentId}`);
    }
    if (![...this.#transcripts.values()].includes(path)) {
      throw new Fault("unavailable", "Unknown subagent session file");
    }
    return await readTranscript(path, fromByte);
  }

  /** The session has changed: finished transcripts belong to the one before. */
  forget(): void {
    this.#transcripts.clear();
  }

  async #work(
    { agent, assignment, callId, signal }: {
      readonly agent: keyof typeof AGENTS;
      readonly assignment: string;
      readonly callId: string;
      readonly signal: AbortSignal;
    },
  ): Promise<Json> {
    const helper = this.#begin({ agent, assignment, callId });
    const { emit } = this.#options;
    await this.#tellLifecycle(helper, "started");
    try {
      await this.#run(helper, { system: AGENTS[agent], signal });
      if (helper.status === "running") helper.status = "completed";
    } catch (error) {
      helper.status = signal.aborted ? "aborted" : "failed";
      if (!signal.aborted) this.#options.log("A helper failed", { level: "error", error });
    } finally {
      this.#live.delete(helper.id);
      helper.tree.close();
    }
    if (this.level !== "off") await emit("subagent_progress", { payload: progressPayload(helper) });
    await this.#tellLifecycle(helper, helper.status);
    if (helper.status === "aborted") throw new Fault("cancelled", "The helper was stopped.");
    return { agent, assignment, status: helper.status, report: helper.output };
  }

  #begin(given: { readonly agent: string; readonly assignment: string; readonly callId: string }): Helper {
    const index = this.#count++;
    const id = `${index}-${given.agent}`;
    const tree = this.#options.transcript(id);
    const helper: Helper = {
      ...{
        id,
        index,
        tree,
        agent: given.agent,
        assignment: given.assignment,
        parentToolCallId: given.callId,
      },
      ...{ startedAt: Date.now(), status: "running", currentTool: undefined, currentToolArgs: undefined },
      ...{ recentTools: [], toolCount: 0, requests: 0, tokens: 0, cost: 0, output: "", toldAt: Date.now() },
    };
    this.#live.set(id, helper);
    if (tree.path !== undefined) {
      this.#transcripts.set(id, tree.path);
      const [oldest] = this.#transcripts.keys();
      if (this.#transcripts.size > MAX_TRANSCRIPTS && oldest !== undefined) this.#transcripts.delete(oldest);
    }
    return helper;
  }

  async #run(helper: Helper, { system, signal }: { readonly system: string; readonly signal: AbortSignal }) {
    const { session: asking, inner, log, answerer } = this.#options;
    const parent = asking();
    const session = new Session({
      model: parent.model,
      thinking: parent.thinkingLevel,
      system: `${parent.system}\n\n${system}`,
      toolbox: readingOnly(inner),
      log,
    });
    const projection = new RunProjection({
      emit: async (type, fields) => await this.#told(helper, { type, ...fields }),
      keep: (message) => {
        helper.tree.append({ type: "message", message });
        count(helper, message);
      },
      answerer,
    });
    const prompt = [{ role: "user", content: helper.assignment, timestamp: Date.now() }] as const;
    const events = session.run(prompt, { signal });
    await projection.begin(prompt, "prompt");
    for await (const event of events) {
      if (event.type === "tool_execution_start") {
        helper.currentTool = event.call.name;
        helper.currentToolArgs = event.call.argumentsText.slice(0, 200);
      }
      if (event.type === "tool_execution_end") finishTool(helper);
      if (event.type !== "agent_end") await projection.take(event);
      else {
        await projection.end(event);
        if (event.status !== "completed") helper.status = event.status === "aborted" ? "aborted" : "failed";
        if (event.status === "error") helper.output = event.error;
      }
    }
  }

  async #told(helper: Helper, event: { readonly type: string; readonly [key: string]: Json | undefined }) {
    const { emit } = this.#options;
    if (this.level === "events") await emit("subagent_event", { payload: { id: helper.id, event } });
    if (this.level === "off" || Date.now() - helper.toldAt < PROGRESS_MS) return;
    helper.toldAt = Date.now();
    await emit("subagent_progress", { payload: progressPayload(helper) });
  }

  async #tellLifecycle(helper: Helper, status: Status | "started"): Promise<void> {
    if (this.level === "off") return;
    const payload = { ...about(helper), id: helper.id, status, sessionFile: helper.tree.path };
    await this.#options.emit("subagent_lifecycle", { payload });
  }
}

function about({ index, agent, parentToolCallId, assignment }: Helper) {
  return { index, agent, agentSource: "bundled", description: assignment.slice(0, 120), parentToolCallId };
}

function progressPayload(helper: Helper): Json {
  const { index, agent, assignment, parentToolCallId, tree } = helper;
  const progress = progressOf(helper);
  const task = assignment;
  return {
    ...{ index, agent, agentSource: "bundled", task, assignment, parentToolCallId, progress },
    sessionFile: tree.path,
  };
}

function progressOf(helper: Helper): Json {
  const { id, index, agent, assignment, status, currentTool, currentToolArgs, recentTools } = helper;
  return {
    ...{
      id,
      index,
      agent,
      agentSource: "bundled",
      status,
      task: assignment,
      currentTool,
      currentToolArgs,
      recentTools,
    },
    recentOutput: helper.output === "" ? [] : [helper.output.slice(-500)],
    toolCount: helper.toolCount,
    requests: helper.requests,
    tokens: helper.tokens,
    cost: helper.cost,
    durationMs: Date.now() - helper.startedAt,
  };
}

function finishTool(helper: Helper): void {
  const { currentTool: tool = "", currentToolArgs: args = "" } = helper;
  helper.toolCount++;
  helper.recentTools.push({ tool, args, endMs: Date.now() });
  if (helper.recentTools.length > MAX_RECENT) helper.recentTools.shift();
  helper.currentTool = undefined;
  helper.currentToolArgs = undefined;
}

function count(helper: Helper, message: OmpMessage): void {
  if (message.role !== "assistant") return;
  helper.requests++;
  helper.tokens += message.usage.totalTokens;
  helper.cost += message.usage.cost.total;
  helper.output = textOf(message.content) || helper.output;
}

/** Whatever the session may do, a helper only reads. */
function readingOnly(inner: Toolbox): Toolbox {
  return {
    specs: () => inner.specs().filter(({ name }) => name !== "export_result"),
    call: async (...[name, args, options]: Parameters<Toolbox["call"]>) => {
      const given = z.object({ query: z.string() }).safeParse(args);
      if (name === "execute_sql" && given.success && !isReading(given.data.query)) {
        throw new Fault("not_read_only", "Cannot run the statement: helpers only read.");
      }
      return await inner.call(name, args, options);
    },
  };
}
