/**
 * `saber mcp --transport http` as a child process.
 */
import { Program } from "./program.ts";

export class HttpProgram extends Program {
  /** Serves one database; the flags besides `-d` and `--transport`. */
  constructor(database: string, ...flags: string[]) {
    super({ args: ["mcp", "-d", database, "--transport", "http", ...flags] });
  }

  /** Where it listens, as soon as it does. */
  async url(): Promise<URL> {
    return new URL(await this.saying(/http:\S+\/mcp(?=\n)/));
  }
}
