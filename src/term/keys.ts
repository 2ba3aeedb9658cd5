/**
 * What a terminal sends when keys are pressed, as keys with names. It follows xterm; what it does not know is passed over.
 */

export type Key =
  /** Text to insert: typed, or pasted, when it may hold line ends. */
  | { readonly name: "text"; readonly text: string }
  | { readonly name: KeyName };

export type KeyName = (typeof NAMES)[keyof typeof NAMES] | "unknown";

/** By what the terminal sends. */
const NAMES = {
  "\r": "enter",
  "\n": "newline",
  "\x1b\r": "newline",
  "\x1b\n": "newline",
  "\t": "tab",
  "\x1b[Z": "back-tab",
  "\x7f": "backspace",
  "\b": "backspace",
  "\x1b": "escape",
  "\x1b[A": "up",
  "\x1b[B": "down",
  "\x1b[C": "right",
  "\x1b[D": "left",
  "\x1bOA": "up",
  "\x1bOB": "down",
  "\x1bOC": "right",
  "\x1bOD": "left",
  "\x1b[H": "home",
  "\x1b[F": "end",
  "\x1bOH": "home",
  "\x1bOF": "end",
  "\x1b[1~": "home",
  "\x1b[4~": "end",
  "\x1b[3~": "delete",
  "\x1b[1;5C": "word-right",
  "\x1b[1;5D": "word-left",
  "\x1b[1;3C": "word-right",
  "\x1b[1;3D": "word-left",
  "\x1bf": "word-right",
  "\x1bb": "word-left",
  "\x1b\x7f": "erase-word",
  "\x01": "home",
  "\x05": "end",
  "\x02": "left",
  "\x06": "right",
  "\x10": "up",
  "\x0e": "down",
  "\x03": "interrupt",
  "\x04": "end-of-input",
  "\x0b": "erase-right",
  "\x0c": "redraw",
  "\x15": "erase-left",
  "\x17": "erase-word",
} as const;

/** Turn these on and off around a session: what is pasted then comes marked as such. */
export const PASTE_ON = "\x1b[?2004h";
export const PASTE_OFF = "\x1b[?2004l";
const PASTE_BEGIN = "\x1b[200~";
const PASTE_END = "\x1b[201~";
/** UTF-16 units of one paste. */
const MAX_PASTE = 1 << 20;

const ESC = "\x1b";
/** An escape sequence, one control character, or text. */
const NEXT = new RegExp(`^(?:${ESC}(?:\\[[0-9;?]*[ -/]*[@-~]|O.|[^\\[O])?|\\p{Cc}|\\P{Cc}+)`, "su");
const CUT = new RegExp(`^${ESC}(?:\\[[0-9;?]*|O)$`);

/** Yields keys as they come; an escape sequence that a piece cuts in two is waited for. */
export async function* readKeys(pieces: AsyncIterable<string>): AsyncGenerator<Key> {
  let rest = "";
  for await (const piece of pieces) {
    rest += piece;
    while (rest !== "" && !isCut(rest)) {
      const [key, taken] = rest.startsWith(PASTE_BEGIN) ? readPaste(rest) : readKey(rest);
      rest = rest.slice(taken);
      yield key;
    }
  }
}

/** Whether the rest of a sequence, or of a paste, is still to come. A lone escape is the key. */
function isCut(text: string): boolean {
  if (text.startsWith(PASTE_BEGIN)) return !text.includes(PASTE_END) && text.length < MAX_PASTE;
  return CUT.test(text);
}

function readPaste(text: string): [key: Key, taken: number] {
  const end = text.indexOf(PASTE_END);
  const pasted = text.slice(PASTE_BEGIN.length, end < 0 ? MAX_PASTE : end).replaceAll(/\r\n?/g, "\n");
  return [{ name: "text", text: pasted }, end < 0 ? text.length : end + PASTE_END.length];
}

function readKey(text: string): [key: Key, taken: number] {
  const [found = text.charAt(0)] = NEXT.exec(text) ?? [];
  if (found >= " " && found !== "\x7f") return [{ name: "text", text: found }, found.length];
  return [{ name: isKnown(found) ? NAMES[found] : "unknown" }, found.length];
}

function isKnown(sequence: string): sequence is keyof typeof NAMES {
  return Object.hasOwn(NAMES, sequence);
}
