/**
 * The tools with which the model reads and writes documents: files below the working folder, addresses of the host, and
 * what saber itself has (own_documents.ts).
 */
import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import { checkOrdinary, OddFile } from "../../base/ordinary_file.ts";
import { isJson } from "../../base/json.ts";
import { byteLength } from "../../base/utf8.ts";
import type { Cursor } from "../../db/driver.ts";
import type { KeepOptions, Kept } from "../../store/results.ts";
import type { ToolOutput } from "../../tools/tool.ts";
import type { Approvals } from "./approvals.ts";
import { laidOut, rowsOf } from "./host_rows.ts";
import type { HostUris } from "./host_uris.ts";
import { OWN_SCHEMES, type OwnDocuments } from "./own_documents.ts";
import { type OwnTool, ownTool } from "./own_tool.ts";

export interface DocumentOptions {
  readonly cwd: string;
  readonly hostUris: HostUris;
  readonly documents: OwnDocuments;
  readonly approvals: Approvals;
  /** Keeps rows that the host gave. */
  keepRows(cursor: Cursor, about: KeepOptions): Promise<Kept>;
}

type Call = { readonly signal: AbortSignal; readonly callId: string };

const MAX_BYTES = 50 * 1024;
const MAX_LINES = 2000;
/** The largest file that is looked into. */
const MAX_FILE_BYTES = 64 << 20;

export function documentTools(options: DocumentOptions): OwnTool[] {
  const line = z.optional(z.int().check(z.gte(1)));
  return [
    ownTool({
      name: "read",
      description:
        `Reads a document: a file below the working folder, an address of the host, or ${OWN_SCHEMES}.`,
      arguments: z.object({
        path: z.string().check(z.describe("A relative path or an address")),
        offset: z.optional(z.int().check(z.gte(1), z.describe("First line, from 1"))),
        limit: line,
      }),
      run: async ({ path, offset = 1, limit }, call) => {
        const range = { offset, limit: limit ?? MAX_LINES };
        if (options.hostUris.find(path)) return await readHost(path, { options, call, range });
        return { json: excerpt(await read(path, { options, call }), range) };
      },
    }),
    ownTool({
      name: "write",
      description:
        "Replaces a document: an address of the host that may be written, a file below the working folder, a query that is " +
        "kept for later (saber://sql/NAME.sql), or what should be known of the first database (saber://knowledge/NAME).",
      arguments: z.object({ path: z.string(), content: z.string() }),
      run: async ({ path, content }, call) => {
        await write(path, { content, options, call });
        return { json: `Successfully wrote ${byteLength(content)} bytes to ${path}` };
      },
    }),
  ];
}

interface Way {
  readonly options: DocumentOptions;
  readonly call: Call;
}

/** JSON is laid out; a list of flat objects is kept as a result as well, which tools can be given. */
async function readHost(path: string, { options, call, range }: Way & { range: Range }): Promise<ToolOutput> {
  const document = await options.hostUris.read(path, call.signal);
  const isLaidOut = document.isJson && isJson(document.content);
  const shown = excerpt(isLaidOut ? laidOut(document.content) : document.content, range);
  const cursor = isLaidOut ? rowsOf(document.content) : undefined;
  const database = path.split(":", 1)[0] ?? "";
  const { queryResult } = cursor ? await options.keepRows(cursor, { database, ...call }) : {};
  const about = queryResult
    ? [`${queryResult.rowCount} rows, kept with the result_id ${queryResult.id}`]
    : [];
  const json = [shown, ...document.notes, ...about].join("\n\n");
  return queryResult ? { json, queryResult } : { json };
}

async function read(path: string, { options, call }: Way): Promise<string> {
  const { hostUris } = options;
  const [, scheme, rest = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/s.exec(path) ?? [];
  if (scheme === undefined) return await readFile(path, options.cwd);
  if (scheme.toLowerCase() !== "saber") throw unknownScheme(scheme, hostUris);
  return await options.documents.read(rest, call);
}

async function write(
  path: string,
  { content, options, call }: Way & { readonly content: string },
): Promise<void> {
  const { hostUris, documents, approvals, cwd } = options;
  const asked = { message: content, signal: call.signal };
  const scheme = hostUris.find(path);
  if (scheme) {
    if (scheme.isWritable && approvals.mode === "always-ask") await approvals.ask(`Write ${path}?`, asked);
    return await hostUris.write(scheme, { url: path, content, signal: call.signal });
  }
  const [, other, rest = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/s.exec(path) ?? [];
  if (other?.toLowerCase() === "saber") {
    documents.requireWritable(rest); // nobody is asked about what cannot be
    if (approvals.mode === "always-ask") await approvals.ask(`Write ${path}?`, asked);
    return await documents.write(rest, content);
  }
  if (other !== undefined) throw unknownScheme(other, hostUris);
  const file = await below(path, cwd);
  if (approvals.mode !== "yolo") await approvals.ask(`Write the file ${path}?`, asked);
  await Deno.writeTextFile(file, content).catch((cause) => {
    throw new Fault("unavailable", `Cannot write ${path}: the file cannot be opened.`, { cause });
  });
}

function unknownScheme(scheme: string, { schemes }: HostUris): Fault {
  const known = [...schemes.map((each) => `${each.scheme}://`), "saber://"].join(", ");
  return new Fault("unavailable", `Unknown protocol: ${scheme}:// Supported are ${known} and file paths.`);
}

async function readFile(path: string, cwd: string): Promise<string> {
  const file = await below(path, cwd);
  try {
    checkOrdinary(file, { maxBytes: MAX_FILE_BYTES });
    return await Deno.readTextFile(file);
  } catch (cause) {
    const state = cause instanceof OddFile ? cause.message : "there is no such file";
    throw new Fault("unavailable", `Cannot read ${path}: ${state}.`, { cause });
  }
}

/** The real place of a path, links followed. Throws Fault `permission_denied` outside of the working folder. */
async function below(path: string, cwd: string): Promise<string> {
  const root = await Deno.realPath(cwd);
  const wanted = path.startsWith("/") ? path : `${root}/${path}`;
  const slash = wanted.lastIndexOf("/");
  const folder = await Deno.realPath(wanted.slice(0, slash) || "/").catch(() => "");
  const real = await Deno.realPath(wanted).catch(() => `${folder}/${wanted.slice(slash + 1)}`);
  if (folder !== "" && real.startsWith(`${root}/`) && !/(^|\/)\.\.?$/.test(wanted)) return real;
  throw new Fault("permission_denied", `Cannot open ${path}: it is not below the working folder.`);
}

interface Range {
  /** The first line, from 1. */
  readonly offset: number;
  /** How many lines. */
  readonly limit: number;
}

function excerpt(text: string, { offset, limit }: Range): string {
  const lines = text.split("\n");
  const chosen = lines.slice(offset - 1, offset - 1 + Math.min(limit, MAX_LINES)).join("\n");
  const shown = chosen.length > MAX_BYTES ? chosen.slice(0, MAX_BYTES).toWellFormed() : chosen;
  const isWhole = shown.length === chosen.length && offset - 1 + limit >= lines.length;
  return isWhole ? shown : `${shown}\n[${lines.length} lines in all; read on with offset and limit]`;
}
