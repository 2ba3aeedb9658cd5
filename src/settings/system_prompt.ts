/**
 * What `--system-prompt` means: a text, or the path of a file that holds one. What the built-in prompt says is the agent's.
 */
import { Fault } from "../base/fault.ts";
import { checkOrdinary, OddFile } from "../base/ordinary_file.ts";
import { shown } from "../base/shown.ts";

/** A longer value without a path separator is no file name on any system. */
const MAX_NAME = 255;
/** A model reads the prompt with every request. */
const MAX_BYTES = 1 << 20;

/** The prompt; undefined for a blank one. Throws Fault `usage` for a folder, and for a file that can't be read. */
export async function readSystemPrompt(value: string): Promise<string | undefined> {
  const text = isText(value) ? value : await readFile(value) ?? value;
  return text.trim() === "" ? undefined : text;
}

function isText(value: string): boolean {
  return value.trim() === "" || value.includes("\n") || (value.length > MAX_NAME && !/[/\\]/.test(value));
}

/** The text in the file; undefined when there is none of that name. */
async function readFile(path: string): Promise<string | undefined> {
  try {
    checkOrdinary(path, { maxBytes: MAX_BYTES });
  } catch (error) {
    if (error instanceof OddFile) throw unusable(path, error.message);
    if (error instanceof Deno.errors.PermissionDenied) throw unusable(path, "it cannot be reached");
    return undefined;
  }
  const bytes = await Deno.readFile(path).catch(() => {
    throw unusable(path, "it cannot be opened");
  });
  return new TextDecoder().decode(bytes);
}

function unusable(path: string, why: string): Fault {
  return new Fault(
    "usage",
    `Cannot use ${shown(path)} as the system prompt: ${why}. Name a text file, or give the text itself.`,
  );
}
