/**
 * What a conversation keeps besides its words: the rows of its statements and the files made of them, in one folder.
 */
import { Fault } from "../base/fault.ts";
import { openedOnce } from "../base/opened_once.ts";
import type { Cursor } from "../db/driver.ts";
import type { WriteParquet } from "../db/parquet.ts";
import { type Artifact, ArtifactStore } from "./artifacts.ts";
import { Exporter, type ExportOptions } from "./exports.ts";
import { type KeepOptions, type Kept, ResultStore } from "./results.ts";
import { readDetails, type StoredMessage } from "./transcript.ts";

/** Where all of it lies, and what becomes of it in the end. */
export interface ShelfFolder {
  readonly path: string;
  close(): Promise<void>;
  /** Removes what is old and whose id is in none of the texts; absent where all ends with the process anyway. */
  sweep?(texts: () => Iterable<string>): Promise<void>;
  /** Notes that a document besides the threads mentions an id, and keeps it as long as it does. */
  hold?(id: string, document: string): Promise<void>;
}

export interface ShelfOptions {
  /** Called when there is something to keep, or to look up. */
  open(): Promise<ShelfFolder>;
  readonly writeParquet: WriteParquet;
}

const NO_FOLDER = "Cannot keep results: their folder cannot be made. " +
  "See that the data folder (with --no-thread, the system's temporary folder) can be written.";

export class Shelf {
  readonly results: ResultStore;
  readonly artifacts: ArtifactStore;
  readonly #exporter: Exporter;
  readonly #open: () => Promise<ShelfFolder>;
  #isOpen = false;

  constructor({ open, writeParquet }: ShelfOptions) {
    this.#open = openedOnce(async () => {
      const folder = await open().catch((cause) => {
        throw new Fault("unavailable", NO_FOLDER, { cause });
      });
      this.#isOpen = true;
      return folder;
    });
    const path = async () => (await this.#open()).path;
    this.results = new ResultStore(path);
    this.artifacts = new ArtifactStore(path);
    this.#exporter = new Exporter({ results: this.results, artifacts: this.artifacts, writeParquet });
  }

  /** Stores all rows of a statement (a tool's RowKeeper). */
  async keep(cursor: Cursor, options: KeepOptions): Promise<Kept> {
    return await this.results.keep(cursor, options);
  }

  /** Makes a file of a stored result (a tool's RowKeeper). Throws Fault: unavailable, cancelled. */
  async export(
    resultId: string,
    options: ExportOptions,
  ): Promise<Artifact> {
    return await this.#exporter.export(resultId, options);
  }

  /** Makes known what earlier sessions kept for a thread that goes on. */
  adopt(messages: Iterable<StoredMessage>): void {
    for (const message of messages) {
      if (message.role !== "toolResult") continue;
      if (message.queryResult) this.results.adopt(message.queryResult);
      for (const artifact of message.artifacts ?? []) this.artifacts.adopt(artifact);
    }
  }

  /** The same from the texts of tools' details in a conversation that is no thread, whose document keeps them. */
  async adoptFrom(details: Iterable<string>, document: string): Promise<void> {
    for (const text of details) {
      const { queryResult, artifacts = [] } = readDetails(text);
      if (queryResult) this.results.adopt(queryResult);
      for (const artifact of artifacts) this.artifacts.adopt(artifact);
      for (const { id } of [...queryResult ? [queryResult] : [], ...artifacts]) await this.hold(id, document);
    }
  }

  /** A document that is no thread, given by its path, keeps this result or artifact as long as it mentions it. */
  async hold(id: string, document: string): Promise<void> {
    await (await this.#open()).hold?.(id, document);
  }

  /** Removes what no thread mentions any more, if it is time to. */
  async sweep(texts: () => Iterable<string>): Promise<void> {
    if (this.#isOpen) await (await this.#open()).sweep?.(texts);
  }

  async close(): Promise<void> {
    if (this.#isOpen) await (await this.#open()).close();
  }
}
