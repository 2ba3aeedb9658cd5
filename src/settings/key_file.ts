/**
 * What `--key-file` names: a file with nothing but an API key in it.
 */
import { Fault } from "../base/fault.ts";
import { readAll } from "../base/read_all.ts";

const MAX_BYTES = 16 << 10;

/** Throws Fault `usage` for a file that holds no key. */
export async function readKeyFile(path: string): Promise<string> {
  const shown = JSON.stringify(path.slice(0, 200));
  let text: string;
  try {
    const { readable } = await Deno.open(path);
    text = await readAll(readable, {
      what: "the key",
      maxBytes: MAX_BYTES,
      signal: new AbortController().signal,
    });
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault("usage", `Cannot open the key file ${shown}: it is not there, or cannot be opened.`);
  }
  const key = text.trim();
  if (key !== "" && !/\s/.test(key)) return key;
  throw new Fault("usage", `Cannot use the key file ${shown}: it has to hold one API key and nothing else.`);
}
