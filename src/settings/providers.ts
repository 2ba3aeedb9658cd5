/**
 * The providers and models that a person has added or changed in `config.jsonc`. Its form is providers_file.ts's, which is loaded
 * only where there is such a file.
 */
import { Fault } from "../base/fault.ts";
import type { UserProvider } from "../llm/user_provider.ts";

export type UserProviders = { readonly [name: string]: UserProvider };

const FILE = "config.jsonc";

export function configPath(folder: string): string {
  return `${folder}/${FILE}`;
}

/** None without the file. Throws Fault `no_model` for one that cannot be understood. */
export async function readUserProviders(folder: string): Promise<UserProviders> {
  const path = configPath(folder);
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw new Fault("no_model", `Cannot read ${path}: the file cannot be opened. Check its permissions.`, {
      cause: error,
    });
  }
  const { parseProviders } = await import("./providers_file.ts");
  return parseProviders(text, path);
}
