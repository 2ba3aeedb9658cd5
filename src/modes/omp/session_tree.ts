/**
 * The session of the moment: its entries as a tree, the place where it goes on, and the file that it is kept in.
 */
import { type Json, RawJson } from "../../base/json.ts";
import { uuidV7 } from "../../base/uuid_v7.ts";
import type { AnyPlace, Entry, Header, NewEntry, TodoPhase } from "./entries.ts";
import type { OmpMessage } from "./messages.ts";
import { SessionFile } from "./session_file.ts";

export interface TreeOptions {
  readonly header: Header;
  readonly entries: readonly AnyPlace[];
  /** Where it is kept, or will be as soon as something was said; undefined where nothing is kept. */
  readonly path: string | undefined;
  /** The entries are in the file already. */
  readonly isRead?: true;
}

/** A session in which nothing has been said yet. */
export function newHeader(about: { cwd: string; id?: string; parentSession?: string }): Header {
  const { cwd, parentSession } = about;
  return {
    type: "session",
    version: 3,
    id: about.id ?? uuidV7(),
    timestamp: new Date().toISOString(),
    cwd,
    ...(parentSession === undefined ? {} : { parentSession }),
  };
}

export class SessionTree {
  readonly header: Header;
  readonly path: string | undefined;
  readonly #entries: AnyPlace[];
  readonly #byId: Map<string, AnyPlace>;
  /** How many of the entries were in the file before it was opened. */
  readonly #written: number;
  #leaf: string | null;
  #file: SessionFile | undefined;

  constructor({ header, entries, path, isRead = undefined }: TreeOptions) {
    this.header = header;
    this.path = path;
    this.#entries = [...entries];
    this.#written = isRead ? entries.length : 0;
    this.#byId = new Map(entries.map((entry) => [entry.id, entry]));
    this.#leaf = entries.at(-1)?.id ?? null;
  }

  get leaf(): string | null {
    return this.#leaf;
  }

  get all(): readonly AnyPlace[] {
    return this.#entries;
  }

  /** The entry becomes the newest of the session, and is in its file when this returns. Throws Fault `unavailable`. */
  append(fields: NewEntry): Entry {
    const entry = this.#placed(fields);
    this.#entries.push(entry);
    this.#byId.set(entry.id, entry);
    this.#leaf = entry.id;
    if (this.#file) this.#file.append(lineOf(entry));
    else if (this.path !== undefined && (this.#written > 0 || this.#entries.some(isMessage))) {
      this.#file = this.#open(this.path);
    }
    return entry;
  }

  /** From the root to the place where the session goes on. */
  branch(): AnyPlace[] {
    const found: AnyPlace[] = [];
    let at = this.#leaf === null ? undefined : this.#byId.get(this.#leaf);
    while (at && found.length <= this.#entries.length) {
      found.push(at);
      at = at.parentId === null ? undefined : this.#byId.get(at.parentId);
    }
    return found.reverse();
  }

  /** What is said on this branch, as the model knows it: what was compacted is its summary. */
  messages(): OmpMessage[] {
    const branch = this.branch();
    const at = branch.findLastIndex(({ type }) => type === "compaction");
    const compaction = branch[at];
    if (compaction?.type !== "compaction") return branch.flatMap(messageOf);
    const { summary, tokensBefore, firstKeptEntryId, timestamp } = compaction;
    const kept = branch.findIndex(({ id }) => id === firstKeptEntryId);
    return [
      { role: "compactionSummary", summary, tokensBefore, timestamp: Date.parse(timestamp) },
      ...branch.slice(kept < 0 ? at : kept).flatMap(messageOf),
    ];
  }

  get name(): string | undefined {
    const named = this.branch().findLast((entry) => entry.type === "session_info");
    return named?.type === "session_info" ? named.name : undefined;
  }

  get todos(): TodoPhase[] {
    const last = this.branch().findLast((entry) => entry.type === "custom" && entry.customType === "todos");
    return last?.type === "custom" && last.customType === "todos" ? last.data.phases : [];
  }

  /** As they were last noted; undefined where none were. */
  get databases(): readonly string[] | undefined {
    const last = this.branch().findLast((entry) =>
      entry.type === "custom" && entry.customType === "databases"
    );
    return last?.type === "custom" && last.customType === "databases" ? last.data.names : undefined;
  }

  /** `provider:id` and thinking level as they were last set here. */
  get settings(): { readonly model?: string; readonly thinkingLevel?: string } {
    const branch = this.branch();
    const model = branch.findLast((entry) => entry.type === "model_change");
    const level = branch.findLast((entry) => entry.type === "thinking_level_change");
    return {
      ...(model?.type === "model_change" ? { model: `${model.provider}:${model.modelId}` } : {}),
      ...(level?.type === "thinking_level_change" ? { thinkingLevel: level.thinkingLevel } : {}),
    };
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  #placed(fields: NewEntry): Entry {
    return { ...fields, id: this.#freshId(), parentId: this.#leaf, timestamp: new Date().toISOString() };
  }

  #freshId(): string {
    while (true) {
      const id = crypto.getRandomValues(new Uint8Array(4)).toHex();
      if (!this.#byId.has(id)) return id;
    }
  }

  /** Writes all that is not in the file yet. */
  #open(path: string): SessionFile {
    const file = SessionFile.open(path, [{ ...this.header }]);
    for (const entry of this.#entries.slice(this.#written)) file.append(lineOf(entry));
    return file;
  }
}

function lineOf(entry: AnyPlace): Json {
  return entry.type === "foreign" ? new RawJson(entry.line) : { ...entry };
}

function isMessage({ type }: AnyPlace): boolean {
  return type === "message";
}

export function messageOf(entry: AnyPlace): OmpMessage[] {
  return entry.type === "message" ? [entry.message] : [];
}
