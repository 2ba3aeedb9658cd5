/**
 * The log's file: lines are appended, and the file is put aside when it is full or its time is over. Writing is
 * synchronous, so that the last words before an exit are there. Several processes may share one file.
 */
import type { Rotation } from "./log_settings.ts";

export interface LogFileOptions {
  readonly path: string;
  readonly rotation: Rotation;
  /** Epoch milliseconds. */
  now?(): number;
}

export class LogFile implements Disposable {
  readonly #options: LogFileOptions;
  readonly #now: () => number;
  #file: Deno.FsFile | undefined;
  #isHeld = false;

  /** Opens the file with its first line. */
  constructor(options: LogFileOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Adds a line. A log that cannot be written is given up silently: the program works without one. */
  write(line: string): void {
    try {
      const bytes = new TextEncoder().encode(`${line}\n`);
      const file = this.#fileFor(bytes.length);
      for (let rest = bytes; rest.length > 0;) rest = rest.subarray(file.writeSync(rest));
    } catch {
      this.#close();
    }
  }

  /** Opens the file and stays with it, for a program that gives up the permission to write: it is no more put aside. */
  hold(): void {
    try {
      this.#fileFor(0);
    } catch {
      this.#close();
    }
    this.#isHeld = true;
  }

  /** Closes the file; another line opens it again. */
  [Symbol.dispose](): void {
    this.#close();
  }

  #fileFor(size: number): Deno.FsFile {
    const { path } = this.#options;
    if (this.#isHeld && this.#file) return this.#file;
    const current = statOf(path);
    if (this.#file && current?.ino !== this.#file.statSync().ino) this.#close(); // another process has put it aside
    if (current?.isFile && this.#isOver(current, size)) {
      this.#close();
      this.#putAside();
    }
    return this.#file ??= open(path);
  }

  /** By its last entry: what is written on is not over. */
  #isOver({ size, mtime }: Deno.FileInfo, added: number): boolean {
    const { every } = this.#options.rotation;
    if ("bytes" in every) return size > 0 && size + added > every.bytes;
    const period = (time: number) => Math.floor(time / every.milliseconds);
    return mtime !== null && period(mtime.getTime()) < period(this.#now());
  }

  /** `saber.log` becomes `saber.log.1`, and so on; the oldest goes when there are as many as may be. */
  #putAside(): void {
    const { path, rotation } = this.#options;
    let last = 1;
    while (last < rotation.kept && statOf(`${path}.${last}`)) last++;
    for (let n = last; n > 0; n--) Deno.renameSync(n === 1 ? path : `${path}.${n - 1}`, `${path}.${n}`);
  }

  #close(): void {
    this.#file?.close();
    this.#file = undefined;
  }
}

function statOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

function open(path: string): Deno.FsFile {
  const folder = path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")));
  if (folder !== "") Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  return Deno.openSync(path, { append: true, create: true, mode: 0o600 });
}
