/**
 * The file behind a path at this moment: a path may come to name another one, and then the old one is no longer meant.
 */
import { Fault } from "../../base/fault.ts";

export interface DatabaseFile {
  /** Without symbolic links, since permissions are about the file itself. */
  readonly realPath: string;
  /** Tells the file from one that has taken its place. */
  readonly id: string;
}

/** Throws Fault `bad_target` when there is none. */
export function findFile(path: string): DatabaseFile {
  if (path === ":memory:") return { realPath: path, id: path };
  try {
    const { dev, ino } = Deno.statSync(path);
    return { realPath: Deno.realPathSync(path), id: `${dev} ${ino}` };
  } catch (error) {
    throw new Fault("bad_target", "Cannot open the database: its file is gone. Check the path.", {
      cause: error,
    });
  }
}
