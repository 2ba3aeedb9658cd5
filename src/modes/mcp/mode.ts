/**
 * `saber mcp`: the selected databases as an MCP server, without a model. Start, serve, end.
 */
import type { App, Io, Mode } from "../../app.ts";
import { ToolService } from "../../tools/service.ts";
import { csvResult } from "./csv_result.ts";
import { httpPort } from "./http_port.ts";
import { instructions } from "./instructions.ts";
import type { ServerParts } from "./server.ts";
import { WholeRows } from "./whole_rows.ts";

/** docs/values.md, "Row caps"; also for statements with a LIMIT of their own. */
const MAX_ROWS = 1000;
/** UTF-8 bytes of a tool's answer, as text and as structured content each. */
const MAX_BYTES = 1_000_000;

export const mcp: Mode = {
  usage: {
    line: "mcp [flags]",
    summary: "Serve databases to MCP clients over stdin and stdout or HTTP, read-only and without a model.",
    flags: ["database", "transport", "port", "timeout", "csv-tool-results", "no-csv-tool-results"],
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const port = httpPort(app.given.flags);
  const databases = await app.openDatabases();
  const needs = ["read", ...await databases.loadLibraries()] as const;
  app.keepOnly(port === undefined ? needs : [...needs, "net"]);
  const tools = new ToolService({
    databases,
    databaseArgument: "optional",
    caps: { unlimited: MAX_ROWS, limited: MAX_ROWS },
    maxBytes: MAX_BYTES,
    rows: new WholeRows({
      rowLimit: MAX_ROWS,
      maxBytes: MAX_BYTES,
      inPieces: port === undefined && !app.config.csvToolResults,
    }),
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
    // who listens already needs no permission to be asked
    const listening = (url: string) => {
      app.keepOnly(needs);
      io.warn(`saber: MCP over HTTP at ${url}`);
    };
    await serve(parts, { port, io, listening });
  } finally {
    await databases.close();
  }
  return 0;
}

/** Each transport is loaded when it is chosen. */
async function serve(
  parts: ServerParts,
  { port, io, listening }: { port: number | undefined; io: Io; listening(url: string): void },
): Promise<void> {
  if (port === undefined) {
    const { serveStreams } = await import("./stdio.ts");
    return await serveStreams(parts, io);
  }
  const { serveHttp } = await import("./http/serve.ts");
  await serveHttp(parts, { port, stop: io.stop, listening });
}
