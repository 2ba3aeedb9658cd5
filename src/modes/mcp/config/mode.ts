/**
 * `saber mcp config`: prints how a client starts `saber mcp` on these databases. The entry goes to stdout, where it
 * belongs to stderr; no file is written.
 */
import type { App, Io, Mode } from "../../../app.ts";
import { Fault } from "../../../base/fault.ts";
import { ANY, type Client, CLIENTS, type Entry } from "./entry.ts";

export const mcpConfig: Mode = {
  usage: {
    line: "mcp config [CLIENT] [flags]",
    summary: "Print the entry that makes an MCP client start 'saber mcp' on these databases.\n" +
      `CLIENT is one of ${Object.keys(CLIENTS).join(", ")}; without it, the form that most clients share.`,
    flags: ["database", "timeout", "csv-tool-results", "no-csv-tool-results"],
    words: 1,
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const client = chosen(app.given.words[0]);
  const text = client.format(await entryOf(app));
  let rest = new TextEncoder().encode(text);
  while (rest.length > 0) rest = rest.subarray(await io.output.write(rest));
  io.warn(`For ${client.title}: put this into ${client.file}. Add it to what is there already.`);
  return 0;
}

function chosen(word: string | undefined): Client {
  const client = word === undefined ? ANY : Object.hasOwn(CLIENTS, word) ? CLIENTS[word] : undefined;
  if (client) return client;
  throw new Fault(
    "usage",
    `Cannot write an entry for this client: known are ${Object.keys(CLIENTS).join(", ")}.`,
  );
}

async function entryOf(
  { startCommand: [command, ...before], given: { flags }, ...app }: App,
): Promise<Entry> {
  const selectors = await app.portableSelectors();
  const args = [
    ...before,
    "mcp",
    ...selectors.flatMap((selector) => ["-d", selector]),
    ...(flags.timeout === undefined ? [] : ["--timeout", flags.timeout]),
    ...(app.config.csvToolResults ? ["--csv-tool-results"] : []),
  ];
  // Run from source, saber starts deno by its name for SQLite, and clients may know a shorter PATH.
  return before.length === 0 ? { command, args } : { command, args, env: { PATH: pathWith(command) } };
}

/** A PATH on which the program is found first. */
function pathWith(program: string): string {
  const folder = program.replace(/[\\/][^\\/]*$/, "");
  return Deno.build.os === "windows"
    ? `${folder};C:\\Windows\\System32`
    : `${folder}:/usr/local/bin:/usr/bin:/bin`;
}
