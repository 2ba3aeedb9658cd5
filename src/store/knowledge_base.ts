/**
 * Everything that was written down about databases: by saber and, read only, by the Python program.
 */
import type { DatabaseSync } from "node:sqlite";
import { Fault } from "../base/fault.ts";
import { type KnowledgeEntry, KnowledgeStore } from "./knowledge.ts";
import { searchKnowledge } from "./knowledge_search.ts";
import { readPythonKnowledge } from "./python_knowledge.ts";

export interface KnowledgeBaseOptions {
  /** Opens the program's own database, making it where it is missing. */
  open(): Promise<DatabaseSync>;
  /** Whether that database is there. */
  exists(): Promise<boolean>;
  /** Of the Python program's knowledge. */
  readonly pythonPath: string;
}

export class KnowledgeBase {
  readonly #options: KnowledgeBaseOptions;

  constructor(options: KnowledgeBaseOptions) {
    this.#options = options;
  }

  /** Where entries are added and removed. Throws Fault `unavailable`. */
  async store(): Promise<KnowledgeStore> {
    return new KnowledgeStore(await this.#options.open());
  }

  /** About one database, the Python program's first. Makes nothing. Throws Fault `unavailable`. */
  async entries(database: string): Promise<KnowledgeEntry[]> {
    const { exists, pythonPath } = this.#options;
    const theirs = await readPythonKnowledge(pythonPath, database).catch((cause) => {
      throw new Fault("unavailable", `Cannot read the knowledge in ${pythonPath}: it is in another form.`, {
        cause,
      });
    });
    return [...theirs, ...await exists() ? (await this.store()).list(database) : []];
  }

  /** Whether there is anything about one of these databases. */
  async isAbout(databases: readonly string[]): Promise<boolean> {
    for (const database of databases) if ((await this.entries(database)).length > 0) return true;
    return false;
  }

  async search(
    database: string,
    options: { readonly query: string; readonly limit: number },
  ): Promise<KnowledgeEntry[]> {
    return await searchKnowledge(await this.entries(database), options);
  }
}
