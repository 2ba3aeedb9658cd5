/**
 * Passwords of saved connections: in the operating system's keyring, where the Python program has them too, else in a file that
 * only its owner may read. They are never in the file with the connections.
 */
import * as z from "zod/mini";
import { Fault } from "../base/fault.ts";
import { type Entry, type Keyring, type Surroundings, systemKeyring } from "./keyring.ts";
import { writePrivateFile } from "./private_file.ts";

/** Whose password it is. */
export interface Account {
  /** Of the connection. */
  readonly name: string;
  readonly user: string;
}

const File = z.record(z.string(), z.string());
const FILE = "database_passwords.json";
const SERVICE = "sqlsaber";

/** The passwords of the person whose settings and environment these are. */
export function keptPasswords({ folders, environment }: Surroundings): Passwords {
  return new Passwords({ folder: folders.config, keyring: systemKeyring(environment) });
}

export class Passwords {
  readonly #path: string;
  readonly #keyring: Keyring;

  /** `folder`: where the settings live. */
  constructor({ folder, keyring }: { readonly folder: string; readonly keyring: Keyring }) {
    this.#path = `${folder}/${FILE}`;
    this.#keyring = keyring;
  }

  /** The file first, which is there at once. Throws Fault `bad_target` for one that cannot be understood. */
  async find(account: Account): Promise<string | undefined> {
    return (await this.#read()).get(keyOf(account)) ?? await this.#keyring.find(entryOf(account));
  }

  /** In the keyring where there is one. */
  async set(account: Account, password: string): Promise<void> {
    const passwords = await this.#read();
    if (await this.#keyring.save(entryOf(account), password)) {
      if (passwords.delete(keyOf(account))) await this.#write(passwords);
    } else await this.#write(passwords.set(keyOf(account), password));
  }

  /** From wherever it is. */
  async remove(account: Account): Promise<void> {
    await this.#keyring.remove(entryOf(account));
    const passwords = await this.#read();
    if (passwords.delete(keyOf(account))) await this.#write(passwords);
  }

  async #write(passwords: ReadonlyMap<string, string>): Promise<void> {
    const text = `${JSON.stringify(Object.fromEntries(passwords), null, 2)}\n`;
    await writePrivateFile(this.#path, { text, what: "the password" });
  }

  async #read(): Promise<Map<string, string>> {
    try {
      return new Map(Object.entries(File.parse(JSON.parse(await Deno.readTextFile(this.#path)))));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return new Map();
      const state = "it cannot be read, or is not in the form that saber writes. Correct or remove it";
      throw new Fault("bad_target", `Cannot read the passwords in ${this.#path}: ${state}.`, {
        cause: error,
      });
    }
  }
}

/** As the Python program names its entries in the keyring. */
function keyOf({ name, user }: Account): string {
  return `${name}_${user}`;
}

function entryOf(account: Account): Entry {
  return { service: SERVICE, account: keyOf(account) };
}
