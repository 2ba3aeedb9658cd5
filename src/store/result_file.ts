/**
 * The file format of one stored result: rows as JSON lines, and an index of byte offsets.
 * It knows nothing of ids, limits or models; results.ts does.
 *
 * The index holds, as 64-bit little-endian numbers, where every STRIDE-th row begins and where the rows end, so that
 * any page costs two reads and at most STRIDE rows of skipping.
 */
import { Fault } from "../base/fault.ts";
import { TextFile } from "./text_file.ts";

const STRIDE = 64;
const LF = 0x0a;
const ROWS = "rows.ndjson";
const INDEX = "rows.idx";
const KINDS = "kinds.json";

/** What the stored bytes are: JSON, one object a line. */
export const MEDIA_TYPE = "application/x-ndjson";

export interface StoredBytes {
  readonly rowCount: number;
  readonly size: number;
  /** SHA-256 of the stored bytes, as hex. */
  readonly sha256: string;
}

/** The part of node:crypto's Hash that is used; the module itself is loaded with the first result. */
interface Hash {
  update(bytes: Uint8Array): unknown;
  digest(encoding: "hex"): string;
}

/** Writes rows as they come; memory is that of a buffer and eight bytes for each STRIDE. */
export class ResultWriter implements Disposable {
  readonly #folder: string;
  readonly #file: TextFile;
  readonly #hash: Hash;
  readonly #offsets: number[] = [0];
  #rows = 0;

  private constructor(folder: string, { file, hash }: { file: TextFile; hash: Hash }) {
    this.#folder = folder;
    this.#file = file;
    this.#hash = hash;
  }

  /** Makes the files (0600) in an empty folder. */
  static async create(folder: string): Promise<ResultWriter> {
    const { createHash } = await import("node:crypto");
    const hash = createHash("sha256");
    const file = await TextFile.create(rowsPath(folder), (bytes) => void hash.update(bytes));
    return new ResultWriter(folder, { file, hash });
  }

  get size(): number {
    return this.#file.size;
  }

  /** One row as JSON and LF. */
  async add(row: Uint8Array): Promise<void> {
    await this.#file.writeBytes(row);
    if (++this.#rows % STRIDE === 0) this.#offsets.push(this.#file.size);
  }

  /** `kinds`: the kinds of the columns' values (cell_kinds.ts) as JSON. */
  async finish(kinds: string): Promise<StoredBytes> {
    if (this.#rows % STRIDE !== 0) this.#offsets.push(this.#file.size);
    await this.#file.flush();
    const index = new DataView(new ArrayBuffer(this.#offsets.length * 8));
    this.#offsets.forEach((offset, i) => index.setFloat64(i * 8, offset, true));
    const options = { createNew: true, mode: 0o600 };
    await Deno.writeFile(`${this.#folder}/${INDEX}`, new Uint8Array(index.buffer), options);
    await Deno.writeTextFile(`${this.#folder}/${KINDS}`, kinds, options);
    return { rowCount: this.#rows, size: this.#file.size, sha256: this.#hash.digest("hex") };
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }
}

/** The file with the rows. */
export function rowsPath(folder: string): string {
  return `${folder}/${ROWS}`;
}

export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  /** Rows stop before their bytes pass this. */
  readonly maxBytes: number;
  /** Bytes that the file must have. */
  readonly size: number;
}

/**
 * Rows as JSON texts: fewer than `limit` at the end, or where `maxBytes` is reached. Throws Fault `too_large`, and any
 * error for files that are not as they were written.
 */
export async function readPage(
  folder: string,
  { offset, limit, maxBytes, size }: PageRequest,
): Promise<string[]> {
  const found = await Deno.lstat(rowsPath(folder));
  if (!found.isFile || found.size !== size) throw new Error(`${ROWS} is not as it was written`);
  const start = await blockOffset(folder, Math.floor(offset / STRIDE));
  using file = await Deno.open(rowsPath(folder), { read: true });
  if (start === undefined) return [];
  await file.seek(start, Deno.SeekMode.Start);
  const rows: string[] = [];
  let skip = offset % STRIDE;
  let bytes = 0;
  for await (const line of linesOf(file, maxBytes)) {
    if (skip-- > 0) continue;
    bytes += line.length + 1;
    if (bytes > maxBytes) break;
    rows.push(rowText(line));
    if (rows.length === limit) break;
  }
  if (rows.length === 0 && bytes > maxBytes) {
    throw new Fault("too_large", `Cannot send row ${offset}: it alone has more than ${maxBytes} bytes.`);
  }
  return rows;
}

/** Throws for bytes that were changed so that they are no JSON. */
function rowText(line: Uint8Array): string {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(line);
  JSON.parse(text);
  return text;
}

/** All rows as JSON texts. */
export async function* readRows(folder: string): AsyncGenerator<string> {
  using file = await Deno.open(rowsPath(folder), { read: true });
  const chunk = new Uint8Array(CHUNK);
  const decoder = new TextDecoder();
  let rest = "";
  for (let count = await file.read(chunk); count !== null; count = await file.read(chunk)) {
    const rows = (rest + decoder.decode(chunk.subarray(0, count), { stream: true })).split("\n");
    rest = rows.pop() ?? "";
    yield* rows;
  }
}

/** What `finish` was told of the columns. */
export async function readKinds(folder: string): Promise<string> {
  return await Deno.readTextFile(`${folder}/${KINDS}`);
}

/** Where a block of STRIDE rows begins; undefined past the end. */
async function blockOffset(folder: string, block: number): Promise<number | undefined> {
  using index = await Deno.open(`${folder}/${INDEX}`, { read: true });
  const { size } = await index.stat();
  if ((block + 1) * 8 > size) return undefined;
  await index.seek(block * 8, Deno.SeekMode.Start);
  const bytes = new Uint8Array(8);
  await index.read(bytes);
  return new DataView(bytes.buffer).getFloat64(0, true);
}

const CHUNK = 64 * 1024;

/** Of a line that is longer than `most`, only a beginning that is longer too. */
async function* linesOf(file: Deno.FsFile, most: number): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(CHUNK);
  let parts: Uint8Array[] = [];
  let held = 0;
  while (true) {
    const count = await file.read(chunk);
    if (count === null) return;
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0 && end < count; end = chunk.indexOf(LF, start)) {
      yield concat([...parts, chunk.subarray(start, end)]);
      parts = [];
      held = 0;
      start = end + 1;
    }
    if (start === count || held > most) continue;
    parts.push(chunk.slice(start, count));
    held += count - start;
  }
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
