/**
 * The files that a compiled program carries besides its code: native libraries, which must lie in a folder to be loaded,
 * and WebAssembly. They are compressed, one behind the other, and taken out at their first use. Everything waits here: who asks
 * is `require` or a library's own loader. It knows nothing of what the files are for.
 */
import { createRequire } from "node:module";
import { Fault } from "../base/fault.ts";

/** Where one file lies among the others; `start` and `length` are in bytes, `sha256` is of the file as it was, in hex. */
export interface Place {
  readonly start: number;
  readonly length: number;
  readonly size: number;
  readonly sha256: string;
}

export interface Index {
  /** Bytes of the executable before the files; undefined: they are the embedded file `payload.bin` beside the code. */
  readonly offset?: number;
  readonly files: { readonly [name: string]: Place };
}

const require = createRequire(import.meta.url);

export class Carried {
  readonly #index: Index;
  readonly #folder: string;
  /** Found out at the start: the right to ask may be given up later. */
  readonly #user = Deno.build.os === "windows" ? null : Deno.uid();

  /** `folder` is made when the first library is needed. */
  constructor(index: Index, folder: string) {
    this.#index = index;
    this.#folder = folder;
  }

  /** A file's content. */
  bytes(name: string): Uint8Array {
    const place = this.#place(name);
    const { brotliDecompressSync }: typeof import("node:zlib") = require("node:zlib");
    const content = brotliDecompressSync(this.#read(place));
    if (sha256(content) !== place.sha256) throw damaged();
    return content;
  }

  /**
   * Loads a library, with all that it loads from beside it, from a folder that nobody else can write to.
   * Throws Fault `unavailable`: where the folder is, what is wrong with it, and what to do.
   */
  library(name: string, ...beside: readonly string[]): unknown {
    try {
      Deno.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      this.#refuseForeign();
      for (const each of [...beside, name]) this.#unpack(each);
    } catch (error) {
      throw error instanceof Fault ? error : this.#fault(stateOf(error), { cause: error });
    }
    try {
      return require(this.#path(name));
    } catch (error) {
      throw this.#fault("programs can't be loaded from there", { cause: error });
    }
  }

  #path(name: string): string {
    return `${this.#folder}/${name}`;
  }

  /** A file of the right content stays; another one is replaced in one step, so that nobody sees half of it. */
  #unpack(name: string): void {
    const path = this.#path(name);
    const { size, sha256: expected } = this.#place(name);
    if (isWhole(path, { size, expected })) return;
    const staging = `${path}.${crypto.randomUUID()}`;
    try {
      Deno.writeFileSync(staging, this.bytes(name), { createNew: true, mode: 0o700 });
      Deno.renameSync(staging, path);
    } catch (error) {
      removeQuietly(staging);
      // on Windows a library that another process has loaded can't be replaced; then it is the right one
      if (!isWhole(path, { size, expected })) throw error;
    }
  }

  /** Whoever can write to the folder can make this program run anything. */
  #refuseForeign(): void {
    if (this.#user === null) return;
    const { uid, mode } = Deno.lstatSync(this.#folder);
    if (uid === this.#user && ((mode ?? 0) & 0o022) === 0) return;
    throw this.#fault("it belongs to somebody else, or others may write to it");
  }

  #place(name: string): Place {
    const place = this.#index.files[name];
    if (place === undefined) throw new Fault("internal", `The program carries no file ${name}.`);
    return place;
  }

  #read({ start, length }: Place): Uint8Array {
    const { offset } = this.#index;
    if (offset === undefined) {
      return Deno.readFileSync(new URL("./payload.bin", import.meta.url)).subarray(start, start + length);
    }
    using file = Deno.openSync(Deno.execPath());
    file.seekSync(offset + start, Deno.SeekMode.Start);
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length;) {
      const read = file.readSync(bytes.subarray(at));
      if (read === null) throw damaged();
      at += read;
    }
    return bytes;
  }

  #fault(state: string, options: { cause?: unknown } = {}): Fault {
    return new Fault(
      "unavailable",
      `Cannot unpack a library to ${this.#folder}: ${state}. Set SQLSABER_CACHE_DIR to a folder that only you can ` +
        "write to and that may hold programs.",
      options,
    );
  }
}

function isWhole(path: string, { size, expected }: { size: number; expected: string }): boolean {
  try {
    return Deno.lstatSync(path).isFile && Deno.statSync(path).size === size &&
      sha256(Deno.readFileSync(path)) === expected;
  } catch {
    return false;
  }
}

function sha256(bytes: Uint8Array): string {
  const { createHash }: typeof import("node:crypto") = require("node:crypto");
  return createHash("sha256").update(bytes).digest("hex");
}

function damaged(): Fault {
  return new Fault(
    "unavailable",
    "Cannot load a part of this program: its file is damaged. Download it again.",
  );
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // it was never made
  }
}

function stateOf(error: unknown): string {
  if (error instanceof Deno.errors.PermissionDenied) return "it can't be written to";
  if (error instanceof Deno.errors.NotADirectory) return "a part of the path is no folder";
  if (error instanceof Error && /No space left|os error 28/.test(error.message)) return "the disk is full";
  if (error instanceof Error && /Read-only file system|os error 30/.test(error.message)) {
    return "it is on a read-only disk";
  }
  return "it can't be used";
}
