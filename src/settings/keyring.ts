/**
 * The operating system's keyring: macOS Keychain, Windows Credential Manager, Secret Service. Many machines have none, or one
 * that is locked; that is never an error. The entries are those of the Python program.
 */

/** Where an entry is found. */
export interface Entry {
  readonly service: string;
  readonly account: string;
}

/** What a keyring and the files in its place are found by. */
export interface Surroundings {
  readonly folders: { readonly config: string };
  readonly environment: { readonly PYTHON_KEYRING_BACKEND?: string | undefined };
}

export interface Keyring {
  /** Undefined where there is no such entry, or no keyring. */
  find(entry: Entry): Promise<string | undefined>;
  /** Whether it was saved. */
  save(entry: Entry, secret: string): Promise<boolean>;
  /** Whether there was one. */
  remove(entry: Entry): Promise<boolean>;
}

/** A keyring may ask its owner to unlock it; nobody waits longer for that. */
const PATIENCE_MS = 3000;

/** What switches the Python program's keyring off, and with that ours. */
const OFF = "keyring.backends.null.Keyring";

const NONE: Keyring = {
  find: () => Promise.resolve(undefined),
  save: () => Promise.resolve(false),
  remove: () => Promise.resolve(false),
};

/** The package is loaded at the first use, as most runs never need it. */
export function systemKeyring(environment: Surroundings["environment"]): Keyring {
  if (environment.PYTHON_KEYRING_BACKEND === OFF) return NONE;
  return {
    find: (entry) => attempt(entry, async (made, signal) => await made.getPassword(signal) ?? undefined),
    save: async (entry, secret) =>
      await attempt(entry, async (made, signal) => {
        await made.setPassword(secret, signal);
        return true;
      }) ?? false,
    remove: async (entry) =>
      await attempt(entry, async (made, signal) => await made.deletePassword(signal)) ?? false,
  };
}

type AsyncEntry = InstanceType<typeof import("@napi-rs/keyring").AsyncEntry>;

/** Undefined where there is no keyring, for whatever reason: the package tells them apart in words alone. */
async function attempt<Result>(
  { service, account }: Entry,
  use: (entry: AsyncEntry, signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  try {
    const { AsyncEntry } = await import("@napi-rs/keyring");
    const using = use(new AsyncEntry(service, account), AbortSignal.timeout(PATIENCE_MS));
    return await Promise.race([using, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
