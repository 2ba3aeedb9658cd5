/**
 * PostgreSQL's own parser (libpg_query as WebAssembly): SQL text to syntax tree. It judges nothing.
 * The package's own interface keeps one instance for good; one whose stack has overflown parses nothing right any more, so
 * instances are made here and replaced.
 */
import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";

/** A parsed statement: `{ SelectStmt: { … } }` (https://github.com/pganalyze/libpg_query, struct defs of PostgreSQL 18). */
export type Tree = z.infer<typeof treeSchema>;

const treeSchema = z.record(z.string(), z.unknown());
const resultSchema = z.object({ stmts: z.optional(z.array(z.object({ stmt: z.optional(treeSchema) }))) });

/** The functions of the compiled library that are used here; addresses and lengths are in bytes. */
interface Library {
  _malloc(size: number): number;
  _free(address: number): void;
  _wasm_parse_query_raw(text: number): number;
  _wasm_free_parse_result(result: number): void;
  getValue(address: number, type: "i32"): number;
  lengthBytesUTF8(text: string): number;
  stringToUTF8(...target: [text: string, address: number, size: number]): void;
  UTF8ToString(address: number): string;
}

export class Parser {
  #library: Promise<Library> | undefined;

  /**
   * The statements of a text. Throws Fault: syntax_error with the parser's words and place, not_understood for what is
   * too deep for it.
   */
  async parse(sql: string): Promise<Tree[]> {
    refuseNul(sql);
    this.#library ??= loadLibrary();
    const library = await this.#library;
    try {
      const { stmts = [] } = resultSchema.parse(JSON.parse(parseText(library, sql)));
      return stmts.flatMap(({ stmt }) => stmt ? [stmt] : []);
    } catch (error) {
      if (error instanceof Fault) throw error;
      this.#library = undefined;
      throw new Fault("not_understood", "Cannot run the statement: it is nested too deeply. Simplify it.", {
        cause: error,
      });
    }
  }
}

/** It ends the text for the parser, and for the server: what follows it would not be judged, or read as something else. */
export function refuseNul(sql: string): void {
  if (!sql.includes("\0")) return;
  throw new Fault("not_understood", "Cannot run the statement: it holds a NUL character. Remove it.");
}

async function loadLibrary(): Promise<Library> {
  const { default: create }: { default: () => Promise<Library> } = await import("libpg-query/wasm");
  return await create();
}

function parseText(library: Library, sql: string): string {
  const size = library.lengthBytesUTF8(sql) + 1;
  const text = library._malloc(size);
  library.stringToUTF8(sql, text, size);
  const result = library._wasm_parse_query_raw(text);
  try {
    // struct PgQueryParseResult: parse_tree, stderr_buffer, error
    const error = library.getValue(result + 8, "i32");
    if (error !== 0) throw syntaxFault(library, error);
    return library.UTF8ToString(library.getValue(result, "i32"));
  } finally {
    library._wasm_free_parse_result(result);
    library._free(text);
  }
}

/** struct PgQueryError: message, funcname, filename, lineno, cursorpos (from 1), context. */
function syntaxFault(library: Library, error: number): Fault {
  const message = library.UTF8ToString(library.getValue(error, "i32"));
  const position = library.getValue(error + 16, "i32");
  return new Fault(
    "syntax_error",
    "Cannot run the statement: it has a syntax error. Correct it and run it again.",
    {
      server: { message, state: "42601", ...position > 0 ? { position } : {} },
    },
  );
}
