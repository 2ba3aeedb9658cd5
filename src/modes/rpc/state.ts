/**
 * The contract's State: what a host is told of a conversation by `ready`, get_state and the commands that change it.
 */
import type { Model, OpenDatabases } from "../../app.ts";
import { THINKING_LEVELS } from "../../settings/model.ts";
import type { Begun } from "../session/begin.ts";
import type { AnswerTo } from "./contract/spelled.ts";

type ThinkingLevel = (typeof THINKING_LEVELS)[number];

/** What does not change while the process lives. */
export interface Setting {
  readonly databases: OpenDatabases;
  readonly dangerous: boolean;
  readonly csvToolResults: boolean;
  /** Completed turns are saved. */
  readonly keepThread: boolean;
}

/** What does; a Session has it all but for the thread. */
export interface Progress {
  readonly running: boolean;
  readonly model: Model;
  readonly thinkingLevel: ThinkingLevel;
  readonly messageCount: number;
  readonly pendingSteers: readonly string[];
}

/** What a start has found out. */
export interface Started {
  readonly setting: Setting;
  readonly progress: Progress;
  readonly begun: Begun;
}

export function stateOf(
  { databases, ...setting }: Setting,
  progress: Progress & { readonly threadId: string | null },
): AnswerTo<"get_state"> {
  const [primary] = databases.list;
  return {
    state: progress.running ? "running" : "idle",
    database: {
      name: primary?.name ?? "",
      type: primary?.displayName ?? "",
      names: databases.list.map(({ name }) => name),
    },
    model: { name: progress.model.name, id: progress.model.id },
    thinkingLevel: progress.thinkingLevel,
    thinkingLevels: THINKING_LEVELS,
    dangerousMode: setting.dangerous,
    csvToolResults: setting.csvToolResults,
    threadId: progress.threadId,
    threadPersistence: setting.keepThread,
    messageCount: progress.messageCount,
    pendingSteers: progress.pendingSteers,
  };
}
