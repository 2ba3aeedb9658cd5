/**
 * `saber mcp`: the selected databases as an MCP server, without a model. Start, serve, end.
 */
import type { App, Io, Mode } from "../../app.ts";
import { ToolService } from "../../tools/service.ts";
import { csvResult } from "./csv_result.ts";
import { instructions } from "./instructions.ts";
import { serveStreams } from "./stdio.ts";
import { WholeRows } from "./whole_rows.ts";

/** docs/values.md, "Row caps"; also for statements with a LIMIT of their own. */
const MAX_ROWS = 1000;
/** UTF-8 bytes of a tool's answer, as text and as structured content each. */
const MAX_BYTES = 1_000_000;

export const mcp: Mode = {
  usage: {
    line: "mcp [flags]",
    summary: "Serve databases to an MCP client over stdin and stdout, read-only and without a model.",
    flags: ["database", "timeout", "csv-tool-results", "no-csv-tool-results"],
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const databases = await app.openDatabases();
  const tools = new ToolService({
    databases,
    databaseArgument: "optional",
    caps: { unlimited: MAX_ROWS, limited: MAX_ROWS },
    maxBytes: MAX_BYTES,
    rows: new WholeRows({ rowLimit: MAX_ROWS, maxBytes: MAX_BYTES }),
    serial: true,
  });
  const parts = {
    version: app.version,
    instructions: instructions(databases.list, { rows: MAX_ROWS, bytes: MAX_BYTES }),
    tools,
    ...(app.config.csvToolResults ? { present: (json: string) => csvResult(json, MAX_BYTES) } : {}),
    log: app.log,
  };
  try {
    await serveStreams(parts, io);
  } finally {
    await databases.close();
  }
  return 0;
}
