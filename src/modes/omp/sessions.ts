/**
 * Which session the process holds: a new one, one that is gone on with, a copy. What stands in it is session_tree.ts's.
 */
import { Fault } from "../../base/fault.ts";
import type { OmpOptions } from "./command_line.ts";
import type { AnyPlace } from "./entries.ts";
import { listSessions, newSessionPath, readSession, sessionFolder } from "./session_file.ts";
import { newHeader, SessionTree } from "./session_tree.ts";

export interface SessionsOptions {
  /** The folder of all sessions. */
  readonly root: string;
  /** Instead of the folder of this working folder's sessions. */
  readonly folder: string | undefined;
  readonly cwd: string;
  readonly keeps: boolean;
}

export class Sessions {
  readonly #options: SessionsOptions;
  readonly #folder: string;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#folder = options.folder ?? sessionFolder(options.root, options.cwd);
  }

  /** The session that the command line asks for. Throws Fault `unavailable`. */
  async start(options: OmpOptions): Promise<SessionTree> {
    const id = options.sessionId === undefined ? {} : { id: options.sessionId };
    if (options.fork !== undefined) {
      const tree = await this.#find(options.fork);
      return this.fresh({ ...id, parentSession: tree.path, entries: tree.all });
    }
    if (options.session !== undefined) return await this.#find(options.session);
    if (options.continues) {
      const [newest] = await listSessions(this.#folder);
      if (newest !== undefined) return await this.open(newest);
    }
    return this.fresh(id);
  }

  /** A session that begins with these entries. */
  fresh(
    { id, parentSession, entries = [], path }: {
      readonly id?: string;
      readonly parentSession?: string | undefined;
      readonly entries?: readonly AnyPlace[];
      readonly path?: string;
    } = {},
  ): SessionTree {
    const header = newHeader({
      cwd: this.#options.cwd,
      ...(id === undefined ? {} : { id }),
      ...(parentSession === undefined ? {} : { parentSession }),
    });
    const kept = this.#options.keeps ? path ?? newSessionPath(this.#folder, header) : undefined;
    return new SessionTree({ header, entries, path: kept });
  }

  /** Throws Fault `unavailable` for a file that is missing or no session. */
  async open(path: string): Promise<SessionTree> {
    const { header, entries } = await readSession(path);
    return new SessionTree({ header, entries, path, isRead: true });
  }

  /** By path, or by the beginning of an id. A path at which nothing is becomes a new session there. */
  async #find(wanted: string): Promise<SessionTree> {
    if (/[/\\]|\.jsonl$/.test(wanted)) {
      const path = wanted.startsWith("/") ? wanted : `${this.#options.cwd}/${wanted}`;
      const isThere = await Deno.stat(path).then(({ size }) => size > 0, () => false);
      return isThere ? await this.open(path) : this.fresh({ path });
    }
    const found = (await listSessions(this.#folder)).filter((path) => idIn(path).startsWith(wanted));
    const [only] = found;
    if (only !== undefined && found.length === 1) return await this.open(only);
    const state = found.length === 0 ? "there is none in this folder" : "several begin so";
    throw new Fault("unavailable", `Cannot go on with the session ${wanted}: ${state}. Give its path.`);
  }
}

function idIn(path: string): string {
  return /_([^_/\\]+)\.jsonl$/.exec(path)?.[1] ?? "";
}
