/**
 * A folder that appears whole or not at all: it is filled under another name, and renamed in the end.
 */
import { Fault } from "../base/fault.ts";

export interface Draft {
  /** Where the folder shall be, and its name there. */
  readonly parent: string;
  readonly id: string;
  /** What it holds, for the sentence of an error: `the result`. */
  readonly what: string;
}

const QUOTA = "your disk quota is used up. Free some space";

/** What keeps a file from being written, by the system's name for it, or by its number where Deno has no name. */
const STATES: { readonly [code: string]: string } = {
  ENOENT: "its folder is gone. Start saber again",
  ENOSPC: "the disk is full. Free some space",
  "27": "the file would be too large for the disk. Ask for fewer rows",
  "69": QUOTA, // macOS
  "122": QUOTA, // Linux
  EROFS: "the disk can only be read. Choose another data folder",
  EACCES: "its folder cannot be written. Change the folder's permissions, or choose another data folder",
  EPERM: "its folder cannot be written. Change the folder's permissions, or choose another data folder",
};

/**
 * Makes the folder (0700) with what `fill` writes into it. Throws what `fill` throws, but Fault `unavailable` where the disk
 * is the reason; then nothing is left.
 */
export async function inDraft<Result>(
  { parent, id, what }: Draft,
  fill: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = `${parent}/.tmp-${id}`;
  try {
    await Deno.mkdir(folder, { mode: 0o700 });
    const result = await fill(folder);
    await Deno.rename(folder, `${parent}/${id}`);
    return result;
  } catch (error) {
    await Deno.remove(folder, { recursive: true }).catch(() => {}); // the sweep removes what cannot be removed now
    throw diskFault(what, error);
  }
}

/** The error itself where the disk is not the reason. */
function diskFault(what: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const [, number = ""] = /\(os error (\d+)\)/.exec(error.message) ?? [];
  const state = STATES["code" in error && typeof error.code === "string" ? error.code : number];
  return state === undefined
    ? error
    : new Fault("unavailable", `Cannot keep ${what}: ${state}.`, { cause: error });
}
