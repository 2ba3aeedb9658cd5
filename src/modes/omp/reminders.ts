/**
 * Keeps the model to its plan: when it stops with tasks still open, it is reminded, a few times; when all are done, the
 * plan is put away.
 */
import type { Emit } from "./message_teller.ts";
import { type OmpMessage, textOf } from "./messages.ts";
import type { Todos } from "./todos.ts";

const MAX_ATTEMPTS = 3;

export class Reminders {
  readonly #todos: Todos;
  readonly #emit: Emit;

  constructor(todos: Todos, emit: Emit) {
    this.#todos = todos;
    this.#emit = emit;
  }

  /** What is said to a model that stopped too early; undefined when nothing is. `attempt` counts from 1. */
  async after(messages: readonly OmpMessage[], attempt: number): Promise<string | undefined> {
    const { open } = this.#todos;
    if (open.length === 0 || attempt > MAX_ATTEMPTS || waitsForUser(messages)) return undefined;
    await this.#emit("todo_reminder", { todos: open, attempt, maxAttempts: MAX_ATTEMPTS });
    const list = open.map(({ content, status }) => `- [${status}] ${content}`).join("\n");
    return `Your plan still has open tasks:\n${list}\nGo on with them, or set those that are not needed to abandoned.`;
  }

  /** Puts a plan away of which nothing is left to do. */
  async clear(): Promise<void> {
    if (!this.#todos.isDone) return;
    this.#todos.set([]);
    await this.#emit("todo_auto_clear", {});
  }
}

/** The model asked something, or the person did not want what it was about to do. */
function waitsForUser(messages: readonly OmpMessage[]): boolean {
  const last = messages.findLast((message) => message.role === "assistant");
  if (last?.role === "assistant" && /\?\s*$/.test(textOf(last.content))) return true;
  return messages.some((message) =>
    message.role === "toolResult" && message.isError &&
    /Not approved|The user gave no answer/.test(textOf(message.content))
  );
}
