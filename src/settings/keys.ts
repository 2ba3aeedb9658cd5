/**
 * API keys that are kept for a provider: in the operating system's keyring, else in a file that only its owner may read.
 * A key from a flag or from the environment comes before them, which is not this file's concern.
 */
import * as z from "zod/mini";
import { Fault } from "../base/fault.ts";
import { type Entry, type Keyring, type Surroundings, systemKeyring } from "./keyring.ts";
import { writePrivateFile } from "./private_file.ts";

/** Where a key is kept. */
export type KeyPlace = "keyring" | "file";

const File = z.record(z.string(), z.string());
const FILE = "api_keys.json";

/** The keys of the person whose settings and environment these are. */
export function keptKeys({ folders, environment }: Surroundings): Keys {
  return new Keys({ folder: folders.config, keyring: systemKeyring(environment) });
}

export class Keys {
  readonly #path: string;
  readonly #keyring: Keyring;

  /** `folder`: where the settings live. */
  constructor({ folder, keyring }: { readonly folder: string; readonly keyring: Keyring }) {
    this.#path = `${folder}/${FILE}`;
    this.#keyring = keyring;
  }

  /** Throws Fault `no_model` for a file that cannot be read, or that others can. */
  async find(provider: string): Promise<{ readonly key: string; readonly place: KeyPlace } | undefined> {
    const kept = await this.#keyring.find(entryOf(provider));
    if (kept) return { key: kept, place: "keyring" };
    const key = (await this.#read()).get(provider);
    return key === undefined ? undefined : { key, place: "file" };
  }

  /** In the keyring where there is one. */
  async save(provider: string, key: string): Promise<KeyPlace> {
    const keys = await this.#read();
    if (await this.#keyring.save(entryOf(provider), key)) {
      if (keys.delete(provider)) await this.#write(keys);
      return "keyring";
    }
    await this.#write(keys.set(provider, key));
    return "file";
  }

  /** From wherever it is. Whether there was one. */
  async forget(provider: string): Promise<boolean> {
    const wasInKeyring = await this.#keyring.remove(entryOf(provider));
    const keys = await this.#read();
    if (!keys.delete(provider)) return wasInKeyring;
    await this.#write(keys);
    return true;
  }

  async #write(keys: ReadonlyMap<string, string>): Promise<void> {
    const text = `${JSON.stringify(Object.fromEntries(keys), null, 2)}\n`;
    await writePrivateFile(this.#path, { text, what: "the API key" });
  }

  async #read(): Promise<Map<string, string>> {
    try {
      const text = await Deno.readTextFile(this.#path);
      const { mode } = await Deno.stat(this.#path);
      if (mode !== null && (mode & 0o077) !== 0) {
        throw new Fault(
          "no_model",
          `Cannot use the API keys in ${this.#path}: others may read the file. Run 'chmod 600' on it.`,
        );
      }
      return new Map(Object.entries(File.parse(JSON.parse(text))));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return new Map();
      if (error instanceof Fault) throw error;
      // The cause is left out: a parser's message quotes the text.
      const state = "it cannot be read, or is not in the form that saber writes. Correct or remove it";
      throw new Fault("no_model", `Cannot read the API keys in ${this.#path}: ${state}.`);
    }
  }
}

/** As the Python program names its entries. */
function entryOf(provider: string): Entry {
  return { service: `sqlsaber-${provider}-api-key`, account: provider };
}
