/**
 * PostgreSQL for people who edit: puts its sessions and its SQL behind the contract of workbench.ts.
 */
import { serverOf } from "../../address.ts";
import { SessionPool } from "../../session_pool.ts";
import { quoteName } from "../../sql_text.ts";
import { qualified } from "../../standard_definitions.ts";
import type { Address, Workbench, WorkOptions, WorkSource } from "../../workbench.ts";
import { DIALECT } from "../dialect.ts";
import { Hosts } from "../hosts.ts";
import { reading } from "../lease.ts";
import { Transactions } from "../transaction.ts";
import { TypeCatalog } from "../type_catalog.ts";
import { CATALOG } from "./catalog_sql.ts";
import { DEFINITIONS } from "./definitions.ts";
import { PLANS } from "./plans.ts";
import { ROUTINES } from "./routines.ts";
import { PostgresWorkSession, useSchema } from "./session.ts";
import { connectTo, readKinds } from "./session_kind.ts";
import { USERS } from "./users.ts";
import { VALUES } from "./values.ts";

/** How long looking up a type may take, in milliseconds. */
const TYPES_MS = 10_000;

function open(address: Address, work: WorkOptions): WorkSource {
  const server = serverOf("postgres", address, { home: work.home, port: 5432, database: "postgres" });
  const hosts = new Hosts(server, address.options);
  const kinds = readKinds(address.sessionKind ?? "any");
  const connect = (signal: AbortSignal) =>
    connectTo(hosts, { kinds, signal: AbortSignal.any([signal, AbortSignal.timeout(work.connectMs)]) });
  // types are looked up on a connection of their own, since those of people may be in the midst of something
  const source = { pool: new SessionPool(connect, { size: 1 }), transactions: new Transactions(TYPES_MS) };
  const types = new TypeCatalog((query, parameters) =>
    reading(source, { signal: AbortSignal.timeout(TYPES_MS), use: (ask) => ask(query, parameters) })
  );
  return {
    connect: async (signal) =>
      await PostgresWorkSession.open(await connect(signal), { types, address, work }),
    close: () => source.pool.close(),
  };
}

export const workbench: Workbench = {
  engine: "postgres",
  lexis: DIALECT.lexis,
  open: (address, options) => Promise.try(open, address, options),
  quote: quoteName,
  qualify: (table) => qualified(table, quoteName),
  useSchema,
  version: "SELECT version()",
  isReadOnly: "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'",
  catalog: CATALOG,
  values: VALUES,
  definitions: DEFINITIONS,
  routines: ROUTINES,
  users: USERS,
  plans: PLANS,
};
