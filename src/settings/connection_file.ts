/**
 * Changes to `database_config.json`, in the form that the Python program writes. Only the place that changes is written: the
 * rest of the text stays as it is, to the byte. What a connection means when it is used is connections.ts's and db/saved.ts's.
 */
import * as z from "zod/mini";
import { Fault } from "../base/fault.ts";
import { shown } from "../base/shown.ts";
import { type Edit, editJson } from "./json_file.ts";
import { writePrivateFile } from "./private_file.ts";

const text = z.nullable(z.string());

/** A connection as it is written, every member in the file's order. */
export interface WrittenConnection {
  readonly name: string;
  readonly type: "postgresql" | "mysql" | "sqlite" | "duckdb" | "csv";
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly ssl_mode: string | null;
  readonly ssl_ca: string | null;
  readonly ssl_cert: string | null;
  readonly ssl_key: string | null;
  /** The options of a CSV file as JSON. */
  readonly schema: string | null;
  readonly exclude_schemas: readonly string[];
  readonly description: string | null;
}

const Connection = z.object({
  type: z.optional(z.string()),
  host: z.optional(text),
  port: z.optional(z.nullable(z.number())),
  database: z.optional(text),
  username: z.optional(text),
  exclude_schemas: z.optional(z.nullable(z.array(z.string()))),
  description: z.optional(text),
});

const File = z.object({
  default: z.optional(text),
  connections: z.optional(z.record(z.string(), Connection)),
});

export interface SavedFile {
  readonly default: string | null;
  /** In the order in which they were added. */
  readonly connections: { readonly [name: string]: z.infer<typeof Connection> };
}

const FILE = "database_config.json";
const EMPTY = '{\n  "default": null,\n  "connections": {}\n}';

export class ConnectionFile {
  readonly path: string;

  /** `folder`: where the settings live. */
  constructor(folder: string) {
    this.path = `${folder}/${FILE}`;
  }

  /** Throws Fault `bad_target` for a file that is not in the form. */
  async read(): Promise<SavedFile> {
    return (await this.#load()).file;
  }

  /** The first one becomes the default. Throws Fault `usage` when the name is taken. */
  async add(connection: WrittenConnection): Promise<void> {
    const { name } = connection;
    await this.#change((file) => {
      if (Object.hasOwn(file.connections, name)) {
        throw new Fault(
          "usage",
          `Cannot save the connection: there is one named ${JSON.stringify(name)}. ` +
            "Choose another name, or remove that one first.",
        );
      }
      return [
        ...file.default === null ? [{ path: ["default"], value: name }] : [],
        { path: ["connections", name], value: connection },
      ];
    });
  }

  /** When it was the default, the first of the others becomes it. */
  async remove(name: string): Promise<void> {
    await this.#change((file) => {
      this.#require(file, name);
      const [first = null] = Object.keys(file.connections).filter((other) => other !== name);
      return [
        ...file.default === name ? [{ path: ["default"], value: first }] : [],
        { path: ["connections", name], value: undefined },
      ];
    });
  }

  async setDefault(name: string): Promise<void> {
    await this.#change((file) => {
      this.#require(file, name);
      return [{ path: ["default"], value: name }];
    });
  }

  /** `change` makes the new list of hidden schemas from the old one; the new list. */
  async setExcluded(
    name: string,
    change: (schemas: readonly string[]) => readonly string[],
  ): Promise<readonly string[]> {
    let value: readonly string[] = [];
    await this.#change((file) => {
      value = change(this.#require(file, name).exclude_schemas ?? []);
      return [{ path: ["connections", name, "exclude_schemas"], value }];
    });
    return value;
  }

  #require({ connections }: SavedFile, name: string): z.infer<typeof Connection> {
    const found = Object.hasOwn(connections, name) ? connections[name] : undefined;
    if (found) return found;
    throw new Fault(
      "unavailable",
      `There is no saved connection ${shown(name)}. 'saber db list' shows them.`,
    );
  }

  async #change(change: (file: SavedFile) => readonly Edit[]): Promise<void> {
    const { file, json } = await this.#load();
    const tabSize = /^\{\n( +)/.exec(json)?.[1]?.length ?? 2;
    const text = await editJson(json, { edits: change(file), tabSize });
    await writePrivateFile(this.path, { text, what: "the connection" });
  }

  async #load(): Promise<{ readonly file: SavedFile; readonly json: string }> {
    let json: string;
    try {
      json = await Deno.readTextFile(this.path);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) {
        throw this.#unreadable("the file can't be read. Check its permissions", error);
      }
      json = EMPTY;
    }
    try {
      const { default: name = null, connections = {} } = File.parse(JSON.parse(json));
      return { file: { default: name, connections }, json };
    } catch (error) {
      throw this.#unreadable(
        "the file is not in the form that saber writes. Correct it, or put it aside",
        error,
      );
    }
  }

  #unreadable(state: string, cause: unknown): Fault {
    return new Fault("bad_target", `Cannot read the saved connections in ${this.path}: ${state}.`, { cause });
  }
}
