/**
 * The blocks of docs/embedding.md that show files of fixtures/embedding: `<!-- file: NAME -->` before a block.
 */
import { repository } from "./sources.ts";

const FOLDER = new URL("fixtures/embedding/", repository);
const BLOCK = /(<!-- file: (.+?) -->\n```\w+\n)[^]*?(```)/g;

/** A file of the folder as it lies there. */
export async function embeddingFile(name: string): Promise<string> {
  return await Deno.readTextFile(new URL(name, FOLDER));
}

/** The names of the files that the document shows. */
export function filesShown(document: string): string[] {
  return Array.from(document.matchAll(BLOCK), ([, , name = ""]) => name);
}

/** The document with every such block filled anew. */
export async function withFiles(document: string): Promise<string> {
  const names = filesShown(document);
  const texts = new Map(
    await Promise.all(names.map(async (name) => [name, await embeddingFile(name)] as const)),
  );
  return document.replaceAll(
    BLOCK,
    (_all, begin: string, name: string, end: string) => `${begin}${texts.get(name)}${end}`,
  );
}
