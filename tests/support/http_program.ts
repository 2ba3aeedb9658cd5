/**
 * `saber mcp --transport http` as a child process, with V8 set as the executable's is.
 */
import { V8_FLAGS } from "../../src/build/v8_flags.ts";
import { Program } from "./program.ts";

export class HttpProgram extends Program {
  /** Serves one database; the flags besides `-d` and `--transport`. */
  constructor(database: string, ...flags: string[]) {
    super({
      args: ["mcp", "-d", database, "--transport", "http", ...flags],
      env: { DENO_V8_FLAGS: V8_FLAGS },
    });
  }

  /** Where it listens, as soon as it does. */
  async url(): Promise<URL> {
    return new URL(await this.saying(/http:\S+\/mcp(?=\n)/));
  }
}
