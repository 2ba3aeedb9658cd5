/**
 * DuckDB's errors as Faults. Its own words go into `server` alone.
 */
import { Fault, type FaultCode } from "../../base/fault.ts";
import { type ErrorJson, parseError, serverText } from "./error_json.ts";
import { parseMisfit } from "./misfit.ts";

/** What a kind of error is, and the sentence for it behind "Cannot run the statement: ". */
interface Meaning {
  readonly code: FaultCode;
  readonly says: string;
}

const MEANINGS: { readonly [exception: string]: Meaning } = {
  "Parser": { code: "syntax_error", says: "it is not valid DuckDB SQL. Correct it." },
  "Syntax": { code: "syntax_error", says: "it is not valid DuckDB SQL. Correct it." },
  "Constraint": { code: "constraint", says: "it would break a constraint of a table. Change the values." },
  "Dependency": { code: "constraint", says: "other objects depend on what it changes." },
  "Out of Memory": {
    code: "too_large",
    says: "it needs more memory than DuckDB may use. Filter or aggregate more.",
  },
  "Permission": {
    code: "permission_denied",
    says: "files, settings and extensions outside of the database are closed. Use its own tables.",
  },
  "Conversion": {
    code: "database_error",
    says: "a value does not fit its type. TRY_CAST gives NULL instead.",
  },
  "Out of Range": {
    code: "database_error",
    says: "a value is out of the range of its type. Cast to a wider one.",
  },
  "Binder": {
    code: "database_error",
    says: "DuckDB cannot make sense of an expression in it. Check names and types.",
  },
  "TransactionContext": { code: "busy", says: "another statement changed the same rows. Try again." },
};
const UNKNOWN: Meaning = { code: "database_error", says: "DuckDB reports an error." };

const NO_COLUMN =
  /does not have a column (?:named|with name)|^(?:Referenced (?:update )?column|Column) .*(?:not found|does not exist)|^Could not find key/;
const NO_RELATION = /^(?:Referenced table|Table with name|Catalog) .*(?:not found|does not exist)/;

/** An error of a statement. What is a Fault already stays as it is. */
export function statementFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const text = error instanceof Error ? error.message : String(error);
  const known = parseError(text);
  const misfit = known && parseMisfit(known.exception_message);
  if (misfit) {
    return new Fault("database_error", misfit.message, { server: { message: misfit.value }, cause: error });
  }
  const { code, says } = known === undefined ? UNKNOWN : meaningOf(known);
  return new Fault(code, `Cannot run the statement: ${says}`, {
    server: serverText(known, text),
    cause: error,
  });
}

function meaningOf(error: ErrorJson): Meaning {
  const { exception_type: kind, exception_message: message } = error;
  if (error.error_subtype === "COLUMN_NOT_FOUND" || (kind === "Binder" && NO_COLUMN.test(message))) {
    return {
      code: "unknown_column",
      says: `there is no column ${named(error)}. Look at the table's columns.`,
    };
  }
  if (/^(?:Binder|Catalog)$/.test(kind) && NO_RELATION.test(message)) {
    return { code: "unknown_relation", says: `there is no table or view ${named(error)}. List the tables.` };
  }
  if (kind === "Catalog" && error.type !== undefined) {
    const exists = error.error_subtype === "ENTRY_ALREADY_EXISTS";
    const state = exists ? "there is already a" : "there is no";
    return { code: "database_error", says: `${state} ${error.type.toLowerCase()} ${named(error)}.` };
  }
  if (kind === "Invalid Input" && /read-only mode/.test(message)) {
    return { code: "not_read_only", says: "the database is open for reading only." };
  }
  const [, line] = /^CSV Error on Line: (\d+)/.exec(message) ?? [];
  if (line !== undefined) {
    const says =
      `line ${line} of the file does not fit the columns and types that its first lines have. Mend the file.`;
    return { code: "database_error", says };
  }
  return MEANINGS[kind] ?? UNKNOWN;
}

function named(error: ErrorJson): string {
  return error.name === undefined ? "of that name" : JSON.stringify(error.name);
}
