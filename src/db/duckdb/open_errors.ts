/**
 * Why a file cannot be opened, as Faults that name it. The words of DuckDB and of the system go into `server` alone.
 */
import { Fault, type FaultCode } from "../../base/fault.ts";
import { parseError, serverText } from "./error_json.ts";
import { lastPart } from "../paths.ts";

const LOCKED = /Could not set lock on file/;

/** What the words of an error mean; the first that fits. */
const REASONS: readonly { readonly text: RegExp; readonly code: FaultCode; readonly says: string }[] = [
  {
    text: LOCKED,
    code: "busy",
    says: "another program has it open for writing. Close that program, or try again later.",
  },
  {
    text: /database does not exist|No such file|No files found/i,
    code: "bad_target",
    says: "there is no such file.",
  },
  { text: /Is a directory/i, code: "bad_target", says: "it is a directory." },
  { text: /permission denied/i, code: "bad_target", says: "this user may not read it." },
  { text: /not a valid DuckDB database/, code: "bad_target", says: "it is not a DuckDB database." },
  {
    text: /Corrupt database file|Could not read enough bytes|WAL/,
    code: "bad_target",
    says: "the file is damaged or incomplete.",
  },
  {
    text: /version number|newer version|storage version/i,
    code: "bad_target",
    says: "it was written by another version of DuckDB, which this one does not read.",
  },
  {
    text: /not utf-8 encoded|byte sequence mismatch/i,
    code: "bad_target",
    says: "it is not UTF-8 text. Say its encoding: latin-1 or utf-16.",
  },
  { text: /CSV/, code: "bad_target", says: "its lines do not make a table. Say its delimiter, or mend it." },
  { text: /parquet|magic bytes/i, code: "bad_target", says: "it is not a complete Parquet file." },
  { text: /JSON/, code: "bad_target", says: "it is not JSON lines, nor a JSON array of objects." },
  { text: /encrypt/i, code: "bad_target", says: "it is encrypted." },
];

/** What follows is the options of DuckDB's CSV reader, which nobody can set here. */
const OPTIONS = /\s*(?:The search space used was|Possible fixes):/;

export function isLocked(error: unknown): boolean {
  return error instanceof Error && LOCKED.test(error.message);
}

/** The Fault for an error of opening the file. */
export function openFault(path: string, error: unknown): Fault {
  if (error instanceof Fault) return error;
  const text = error instanceof Error ? error.message : String(error);
  const { code, says } = REASONS.find((reason) => reason.text.test(text)) ??
    { code: "bad_target", says: "DuckDB cannot read it." };
  const server = serverText(parseError(text), text);
  return new Fault(code, `Cannot open ${lastPart(path)}: ${says}`, {
    server: { ...server, message: server.message.split(OPTIONS)[0] ?? "" },
    cause: error,
  });
}
