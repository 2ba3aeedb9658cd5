/**
 * The judgement of a statement by a parser of its dialect: only parts that are known to be harmless, only functions that
 * compute. The guard has judged its class before; the server's read-only transaction stands behind.
 */
import { Fault } from "../../base/fault.ts";
import type { Access, Lexis } from "../driver.ts";
import { Statement } from "../statement.ts";
import { HARMLESS } from "./harmless.ts";
import { parse } from "./parser.ts";
import { refuseSecrets } from "./secret_tables.ts";
import { refuseStorage } from "./storage.ts";
import { tokenCalls } from "./token_calls.ts";
import { type Call, readTree } from "./tree.ts";

export interface Judging {
  readonly access: Access;
  readonly lexis: Lexis;
  /** The one that the session uses. */
  readonly database: string | undefined;
  /** Those of the calls that the server's catalogue knows as functions which only compute or read. */
  findHarmless(calls: readonly Call[]): Promise<readonly Call[]>;
}

/** Throws Fault: not_read_only, forbidden_function, permission_denied, not_understood, too_large. */
export async function judge(sql: string, { access, lexis, database, findHarmless }: Judging): Promise<void> {
  const statement = new Statement(sql, lexis);
  refuseMarks(statement);
  refuseStorage(statement);
  const { calls, tables } = readTree(await parse(statement), access);
  refuseSecrets(tables, database);
  const others = [...calls, ...tokenCalls(statement)].filter((call) => !isHarmless(call));
  if (others.length === 0) return;
  const harmless = await findHarmless(others);
  const refused = others.find((call) => !harmless.includes(call));
  if (refused !== undefined) throw refusal(refused);
}

/** `@a := 1` assigns, wherever it stands; a name may begin with `$`, which hides it from the tokens. */
function refuseMarks(statement: Statement): void {
  for (let at = 0; at <= statement.last; at++) {
    if (statement.mark(at) === ":" && statement.mark(at + 1) === "=") {
      throw new Fault("not_read_only", "Cannot run the statement: it assigns a variable. Leave := out.");
    }
    if (statement.mark(at) === "$") {
      throw new Fault(
        "not_understood",
        "Cannot run the statement: a name begins with $. Quote it with backticks.",
      );
    }
  }
}

/** LAST_INSERT_ID with an argument changes what it later returns. */
function isHarmless({ name, schema, hasArguments }: Call): boolean {
  const lower = name.toLowerCase();
  return schema === undefined && HARMLESS.has(lower) && !(lower === "last_insert_id" && hasArguments);
}

function refusal({ name, schema }: Call): Fault {
  const shown = (schema === undefined ? name : `${schema}.${name}`).slice(0, 64);
  return new Fault(
    "forbidden_function",
    `Cannot run the statement: the function ${shown} is not known to be harmless. Do without it.`,
  );
}
