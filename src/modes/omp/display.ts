/**
 * What a host shows in passing: a line of status for each thing worth one, and small panels for hosts that have a place
 * for them. Nobody answers, so nothing here asks. What is shown already is not sent again.
 */
import type { Dialogs } from "./dialogs.ts";
import type { TodoPhase } from "./entries.ts";

/** Lines of a panel; what is longer is cut, and says so. */
const MAX_LINES = 12;

export class Display {
  readonly #dialogs: Pick<Dialogs, "show">;
  readonly #status = new Map<string, string>();
  readonly #panels = new Map<string, readonly string[]>();
  #hasPanels: boolean;

  constructor(dialogs: Pick<Dialogs, "show">, { hasPanels }: { readonly hasPanels: boolean }) {
    this.#dialogs = dialogs;
    this.#hasPanels = hasPanels;
  }

  get hasPanels(): boolean {
    return this.#hasPanels;
  }

  /** Undefined takes the line away. */
  async status(key: "db" | "query" | "tokens", text: string | undefined): Promise<void> {
    if (this.#status.get(key) === text) return;
    if (text === undefined) this.#status.delete(key);
    else this.#status.set(key, text);
    await this.#dialogs.show("setStatus", { statusKey: `saber.${key}`, statusText: text });
  }

  /** The panel of the statement that runs, or of the plan; no lines take it away. */
  async panel(key: "sql" | "todo", lines: readonly string[]): Promise<void> {
    if (lines.length > 0) this.#panels.set(key, cut(lines));
    else if (!this.#panels.delete(key)) return;
    if (this.#hasPanels) await this.#show(key);
  }

  /** Whether the host has a place for panels; those that are due come, or go, at once. */
  async setPanels(on: boolean): Promise<void> {
    if (on === this.#hasPanels) return;
    this.#hasPanels = on;
    for (const key of this.#panels.keys()) await this.#show(key);
  }

  async #show(key: string): Promise<void> {
    const lines = this.#hasPanels ? this.#panels.get(key) : undefined;
    await this.#dialogs.show("setWidget", {
      widgetKey: `saber.${key}`,
      ...(lines === undefined ? {} : { widgetLines: lines, widgetPlacement: "aboveEditor" }),
    });
  }
}

/** The plan as a person reads it, a line for each phase and each task. */
export function planLines(phases: readonly TodoPhase[]): string[] {
  return phases.flatMap(({ name, tasks }) => [
    name,
    ...tasks.map(({ content, status }) => `  [${status}] ${content}`),
  ]);
}

function cut(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES - 1), `… ${lines.length - MAX_LINES + 1} more lines`];
}
