/**
 * Writes the examples of docs/rpc.md anew: `deno run -q -P=test tests/write_rpc_doc.ts`.
 */
import { recordExamples, withExamples } from "./support/rpc_examples.ts";

const path = new URL("../docs/rpc.md", import.meta.url);
await Deno.writeTextFile(path, withExamples(await Deno.readTextFile(path), await recordExamples()));
