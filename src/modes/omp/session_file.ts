/**
 * Session files: where they lie, how one is read, and how entries are appended so that a killed process loses none.
 */
import { Fault } from "../../base/fault.ts";
import { checkOrdinary, OddFile } from "../../base/ordinary_file.ts";
import { type Json, toJson } from "../../base/json.ts";
import { AnyEntry, type AnyPlace, Entry, Header } from "./entries.ts";

export interface ReadSession {
  readonly header: Header;
  readonly entries: readonly AnyPlace[];
}

/** The largest session file that is read, in bytes. */
const MAX_BYTES = 256 << 20;

/** The folder of the sessions that are held in this working folder. */
export function sessionFolder(root: string, cwd: string): string {
  return `${root}/--${cwd.replace(/^[/\\]+/, "").replaceAll(/[/\\:]/g, "-")}--`;
}

export function newSessionPath(folder: string, { id, timestamp }: Pick<Header, "id" | "timestamp">): string {
  return `${folder}/${timestamp.replaceAll(/[:.]/g, "-")}_${id}.jsonl`;
}

/** Newest first. */
export async function listSessions(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (isFile && name.endsWith(".jsonl")) names.push(name);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw unreadable(folder, error);
  }
  return names.sort().reverse().map((name) => `${folder}/${name}`);
}

/** Throws Fault `unavailable` for a file that is missing or no session. */
export async function readSession(path: string): Promise<ReadSession> {
  let text: string;
  try {
    checkOrdinary(path, { maxBytes: MAX_BYTES });
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      throw new Fault("unavailable", `Session file not found: ${path}`);
    }
    if (error instanceof OddFile) {
      throw new Fault("unavailable", `Cannot read the session ${path}: ${error.message}.`);
    }
    throw unreadable(path, error);
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const at = lines.findIndex((line) => Header.safeParse(parseLine(line)).success);
  const header = Header.safeParse(parseLine(lines[at] ?? ""));
  if (!header.success) {
    throw new Fault("unavailable", `Cannot read the session ${path}: it does not begin with a session.`);
  }
  return { header: header.data, entries: lines.slice(at + 1).flatMap(readEntry) };
}

/** A line that was cut off by a crash is no entry. */
function readEntry(line: string): AnyPlace[] {
  const value = parseLine(line);
  const entry = Entry.safeParse(value);
  if (entry.success) return [entry.data];
  const any = AnyEntry.safeParse(value);
  if (!any.success) return [];
  const { id, parentId, timestamp } = any.data;
  return [{ type: "foreign", id, parentId, timestamp, line }];
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function unreadable(path: string, cause: unknown): Fault {
  return new Fault("unavailable", `Cannot read the session ${path}: it cannot be opened.`, { cause });
}

/** An open session file; each line is with the operating system when `append` returns. */
export class SessionFile {
  readonly #file: Deno.FsFile;

  private constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /** Creates the file with its first lines, or opens the one that is there to append to it. Throws Fault `unavailable`. */
  static open(path: string, firstLines: readonly Json[]): SessionFile {
    try {
      const folder = path.replace(/[/\\][^/\\]*$/, "");
      Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
      const file = new SessionFile(
        Deno.openSync(path, { read: true, append: true, create: true, mode: 0o600 }),
      );
      const { size } = Deno.statSync(path);
      if (size > 0) file.#endLastLine(size);
      else for (const line of firstLines) file.append(line);
      return file;
    } catch (cause) {
      throw new Fault(
        "unavailable",
        `Cannot write the session ${path}: the file cannot be opened. Choose another folder with --session-dir.`,
        { cause },
      );
    }
  }

  append(entry: Json): void {
    let rest = new TextEncoder().encode(`${toJson(entry)}\n`);
    while (rest.length > 0) rest = rest.subarray(this.#file.writeSync(rest));
  }

  close(): void {
    this.#file.close();
  }

  /** After a crash the file may end in the middle of a line. */
  #endLastLine(size: number): void {
    const last = new Uint8Array(1);
    this.#file.seekSync(size - 1, Deno.SeekMode.Start);
    this.#file.readSync(last);
    if (last[0] !== 0x0a) this.#file.writeSync(new TextEncoder().encode("\n"));
  }
}
