/**
 * Writes the files that docs/embedding.md shows into it anew: `deno run -q -P=test tests/write_embedding_doc.ts`.
 */
import { withFiles } from "./support/shown_files.ts";

const path = new URL("../docs/embedding.md", import.meta.url);
await Deno.writeTextFile(path, await withFiles(await Deno.readTextFile(path)));
