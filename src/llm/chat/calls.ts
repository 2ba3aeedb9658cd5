/**
 * Which tool call a piece of a Chat Completions stream belongs to. Servers number calls rightly, not at all, or all as 0,
 * and give ids, none, or the same one twice.
 */
import type { Answer } from "../answer.ts";
import type { Fields } from "../provider.ts";
import { writeCarried } from "./carried.ts";
import type { ChatCallDelta } from "./chunk.ts";

/** What a call takes besides its arguments. */
const SLOT_UNITS = 100;

interface Slot {
  id: string;
  name: string;
  /** The arguments so far, their last piece, and the part of them that waits for the call's name. */
  text: string;
  last: string;
  waiting: string;
  contentIndex: number | undefined;
  extra?: Fields;
}

export class ChatCalls {
  readonly #answer: Answer;
  readonly #usedIds: Set<string>;
  readonly #slots: Slot[] = [];
  readonly #byIndex = new Map<number, Slot>();

  constructor(answer: Answer, usedIds: Iterable<string>) {
    this.#answer = answer;
    this.#usedIds = new Set(usedIds);
  }

  get count(): number {
    return this.#slots.length;
  }

  take(delta: ChatCallDelta): void {
    const slot = this.#slotOf(delta);
    slot.id ||= delta.id ?? "";
    slot.name ||= delta.function?.name ?? "";
    if (delta.extra_content) {
      this.#answer.claim(JSON.stringify(delta.extra_content).length);
      slot.extra = delta.extra_content;
    }
    const given = delta.function?.arguments ?? "";
    const piece = typeof given === "string" ? given : JSON.stringify(given);
    slot.text += piece;
    slot.last = piece;
    slot.waiting += piece;
    if (slot.name !== "") this.#pass(slot);
    else this.#answer.claim(piece.length);
  }

  /** Passes on what never got a name, and what has to come back with the calls. */
  end(details: readonly Fields[]): void {
    for (const [at, slot] of this.#slots.entries()) {
      const contentIndex = this.#pass(slot);
      const carried = {
        ...(slot.extra ? { extra_content: { ...slot.extra } } : {}),
        ...(at === 0 && details.length > 0
          ? { reasoning_details: details.map((each) => ({ ...each })) }
          : {}),
      };
      if (Object.keys(carried).length > 0) this.#answer.signCall(contentIndex, writeCarried(carried));
    }
  }

  #slotOf(delta: ChatCallDelta): Slot {
    const at = delta.index;
    const slot = at === undefined ? this.#slots.at(-1) : this.#byIndex.get(at);
    if (slot && !beginsAnother(slot, delta)) return slot;
    const fresh: Slot = { id: "", name: "", text: "", last: "", waiting: "", contentIndex: undefined };
    this.#answer.claim(SLOT_UNITS);
    this.#slots.push(fresh);
    if (at !== undefined) this.#byIndex.set(at, fresh);
    return fresh;
  }

  #pass(slot: Slot): number {
    slot.contentIndex ??= this.#answer.beginCall(this.#uniqueId(slot.id), slot.name);
    this.#answer.addArguments(slot.contentIndex, slot.waiting);
    slot.waiting = "";
    return slot.contentIndex;
  }

  #uniqueId(id: string): string {
    const unique = id === "" || this.#usedIds.has(id)
      ? `call_${crypto.randomUUID().replaceAll("-", "")}`
      : id;
    this.#usedIds.add(unique);
    return unique;
  }
}

/** Ollama, Gemini and others send every call at index 0: another id, or a name after whole arguments, is another call. */
function beginsAnother(slot: Slot, { id, function: named }: ChatCallDelta): boolean {
  if (id && slot.id !== "") return id !== slot.id;
  return Boolean(named?.name && named.arguments) && isWhole(slot);
}

/** The cheap test first: some servers repeat the name with every piece. */
function isWhole({ text, last }: Slot): boolean {
  if (!/\}\s*$/.test(last)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
