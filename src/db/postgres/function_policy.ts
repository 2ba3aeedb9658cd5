/**
 * Which functions and operators a statement may use: those that compute. The server's catalog tells which only do that;
 * a few are harmless although it says otherwise, and some are not although it says so.
 */
import { Fault } from "../../base/fault.ts";
import type { Candidate, Candidates } from "./function_catalog.ts";
import type { Call, Syntax } from "./syntax.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** PostgreSQL's own that are VOLATILE, as they give another value each time, and do nothing else. */
const HARMLESS = words(`
  random random_normal clock_timestamp timeofday gen_random_uuid uuidv4 uuidv7 array_sample array_shuffle current_query
  pg_database_size pg_relation_size pg_table_size pg_indexes_size pg_total_relation_size pg_tablespace_size
  pg_partition_tree pg_partition_ancestors pg_blocking_pids pg_is_in_recovery pg_current_wal_lsn
  bernoulli system pg_last_wal_receive_lsn pg_last_wal_replay_lsn pg_last_xact_replay_timestamp pg_xact_commit_timestamp
`);

/** What the parser makes of SQL's own syntax, such as EXTRACT; the server makes of it what its version has. */
const SYNTAX = words(`
  extract timezone similar_to_escape overlaps overlay position substring btrim ltrim rtrim normalize is_normalized
  like_escape xmlexists pg_collation_for system_user
`);

/**
 * Refused whatever the catalog says, in every schema: they use up transaction identifiers, tell the server's settings and
 * addresses, or run SQL, or read tables, that stand in their arguments.
 */
const REFUSED = words(`
  txid_current pg_current_xact_id current_setting set_config
  inet_client_addr inet_client_port inet_server_addr inet_server_port
  query_to_xml query_to_xmlschema query_to_xml_and_xmlschema cursor_to_xml cursor_to_xmlschema
  table_to_xml table_to_xmlschema table_to_xml_and_xmlschema schema_to_xml schema_to_xmlschema
  schema_to_xml_and_xmlschema database_to_xml database_to_xmlschema database_to_xml_and_xmlschema
  ts_stat crosstab crosstab2 crosstab3 crosstab4 connectby xpath_table
  pg_sleep pg_sleep_for pg_sleep_until pg_notify nextval setval currval lastval
  pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_promote pg_switch_wal
  pg_create_restore_point pg_export_snapshot pg_import_system_collations pg_stat_file pg_current_logfile
  loread lowrite
`);

/** Families that are refused in the same way. */
const REFUSED_FAMILIES =
  /^(lo_|dblink|postgres_fdw_|pg_read_|pg_ls_|pg_(try_)?advisory_|pg_stat_reset|pg_log_|pg_logical_|pg_replication_|pg_wal_replay_|pg_backup_|pg_(create|drop|copy)_.*slot|binary_upgrade_)/;

const OWN_SCHEMA = "pg_catalog";

/** Throws Fault `forbidden_function` for the first that may not be used. */
export function judgeFunctions(syntax: Syntax, found: Candidates): void {
  const { calls, columns, fields, operators, kinds } = syntax;
  for (const call of calls) judgeCall(call, found.functions.get(call.name) ?? []);
  // only the name of a function in FROM may stand for a single value
  const isRow = !kinds.has("RangeFunction");
  for (const name of columns) judgeAttribute(name, { all: found.functions.get(name) ?? [], isRow });
  for (const name of fields) judgeAttribute(name, { all: found.functions.get(name) ?? [], isRow: false });
  for (const name of operators) judgeOperator(name, found.operators.get(name) ?? []);
}

function judgeCall(call: Call, all: readonly Candidate[]): void {
  const { name, schema } = call;
  if (isRefused(name)) {
    throw refusal(name, { state: "it does more than compute, or tells what is not in the tables" });
  }
  if (schema === OWN_SCHEMA && SYNTAX.has(name)) return;
  const named = all.filter((each) => schema === undefined ? each.isVisible : each.schema === schema);
  if (named.length === 0) {
    throw refusal(name, { state: "this server does not know it", next: "Check its name and schema." });
  }
  const fitting = named.filter((each) => accepts(each, call.arguments));
  const bad = (fitting.length > 0 ? fitting : named).find((each) => mayAct(name, each));
  if (bad === undefined) return;
  const isHidden = schema === undefined && bad.schema !== OWN_SCHEMA &&
    named.some((each) => each.schema === OWN_SCHEMA);
  throw refusal(name, {
    state: bad.schema === OWN_SCHEMA
      ? "it may change something, wait or read files"
      : `in the schema ${bad.schema} it is declared VOLATILE, so it may change something`,
    ...isHidden ? { next: `To use PostgreSQL's own, write pg_catalog.${name}.` } : {},
  });
}

/** Where there is no such column, `x.name` calls the function; where there is, it is refused with it. */
function judgeAttribute(name: string, { all, isRow }: { all: readonly Candidate[]; isRow: boolean }): void {
  const callable = all.filter((each) => each.isVisible && accepts(each, 1) && (each.takesRow || !isRow));
  if (!callable.some((each) => isRefused(name) || mayAct(name, each))) return;
  throw refusal(name, {
    state: "behind a dot it may be called, and does more than compute",
    next: "Where it is a column, leave out what stands before the dot.",
  });
}

function judgeOperator(name: string, all: readonly Candidate[]): void {
  if (all.length === 0) return;
  throw new Fault(
    "forbidden_function",
    `Cannot run the statement: the operator ${
      quoted(name)
    } is made of a VOLATILE function, so it may change something. Ask without it.`,
  );
}

function isRefused(name: string): boolean {
  return REFUSED.has(name) || REFUSED_FAMILIES.test(name);
}

function mayAct(name: string, { isVolatile, schema }: Candidate): boolean {
  return isVolatile && !(schema === OWN_SCHEMA && HARMLESS.has(name));
}

function accepts({ minArguments, maxArguments }: Candidate, count: number): boolean {
  return minArguments <= count && count <= maxArguments;
}

function refusal(name: string, { state, next = "Ask without it." }: { state: string; next?: string }): Fault {
  return new Fault(
    "forbidden_function",
    `Cannot run the statement: the function ${quoted(name)} is not allowed, ${state}. ${next}`,
  );
}

/** Names come from the statement and may be long and odd. */
function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 63));
}
