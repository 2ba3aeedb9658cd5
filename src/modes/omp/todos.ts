/**
 * The plan of the analysis: phases with tasks, seeded by the host, kept up by the model, part of the session.
 */
import type * as z from "zod/mini";
import type { TodoPhase } from "./entries.ts";
import type { SetTodos } from "./schemas.ts";
import type { SessionTree } from "./session_tree.ts";

type Given = z.infer<typeof SetTodos>["phases"];

export class Todos {
  readonly #tree: () => SessionTree;
  readonly #changed: (phases: readonly TodoPhase[]) => void;

  constructor(tree: () => SessionTree, { changed }: { changed(phases: readonly TodoPhase[]): void }) {
    this.#tree = tree;
    this.#changed = changed;
  }

  get phases(): readonly TodoPhase[] {
    return this.#tree().todos;
  }

  /** Missing ids are made up; one task at most is in progress, the last that says so. */
  set(given: Given): readonly TodoPhase[] {
    const phases = normalised(given);
    this.#tree().append({ type: "custom", customType: "todos", data: { phases } });
    this.#changed(phases);
    return phases;
  }

  /** Tasks that are still to be done. */
  get open(): { content: string; status: string }[] {
    return this.phases.flatMap(({ tasks }) => tasks)
      .filter(({ status }) => status === "pending" || status === "in_progress")
      .map(({ content, status }) => ({ content, status }));
  }

  get isDone(): boolean {
    return this.phases.length > 0 && this.open.length === 0;
  }
}

function normalised(given: Given): TodoPhase[] {
  let count = 0;
  const phases = given.map(({ id, name, tasks }, at): TodoPhase => ({
    id: id ?? `phase-${at + 1}`,
    name,
    tasks: tasks.map(({ id, content, status }) => ({ id: id ?? `task-${++count}`, content, status })),
  }));
  const current = phases.flatMap(({ tasks }) => tasks).findLast(({ status }) => status === "in_progress");
  return phases.map((phase) => ({
    ...phase,
    tasks: phase.tasks.map((task) =>
      task.status === "in_progress" && task !== current ? { ...task, status: "pending" } : task
    ),
  }));
}
