/**
 * The file behind a path at this moment: a path may come to name another one, and then the old one is no longer meant.
 */
import { Fault } from "../../base/fault.ts";

export interface DatabaseFile {
  /** Without symbolic links, since permissions are about the file itself. */
  readonly realPath: string;
  /** What fileId gives for it. */
  readonly id: string;
}

/** Throws Fault `bad_target` when there is none. */
export function findFile(path: string): DatabaseFile {
  if (path === ":memory:") return { realPath: path, id: path };
  return { id: fileId(path), realPath: orGone(() => Deno.realPathSync(path)) };
}

/** Tells the file from one that has taken its place. Throws Fault `bad_target` when there is none. */
export function fileId(path: string): string {
  if (path === ":memory:") return path;
  const { dev, ino } = orGone(() => Deno.statSync(path));
  return `${dev} ${ino}`;
}

function orGone<Value>(look: () => Value): Value {
  try {
    return look();
  } catch (error) {
    throw new Fault("bad_target", "Cannot open the database: its file is gone. Check the path.", {
      cause: error,
    });
  }
}
