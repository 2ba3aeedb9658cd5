/**
 * MySQL and MariaDB for people who edit: puts their sessions and their SQL behind the contract of workbench.ts.
 */
import { serverOf } from "../../address.ts";
import { qualified } from "../../standard_definitions.ts";
import type { Address, Workbench, WorkOptions, WorkSource } from "../../workbench.ts";
import { Connector } from "../connector.ts";
import { DIALECT } from "../dialect.ts";
import { quoteName } from "../sql_text.ts";
import { CATALOG } from "./catalog_sql.ts";
import { DEFINITIONS } from "./definitions.ts";
import { PLANS } from "./plans.ts";
import { ROUTINES } from "./routines.ts";
import { MysqlWorkSession, prepareSession, type SessionOptions } from "./session.ts";
import { USERS } from "./users.ts";
import { VALUES } from "./values.ts";

const PIPES = "SET SESSION sql_mode = CONCAT_WS(',', NULLIF(@@sql_mode, ''), 'PIPES_AS_CONCAT')";

function open(address: Address, wanted: WorkOptions): WorkSource {
  const startup = [...address.pipesConcatenate ? [PIPES] : [], ...wanted.startup];
  const work = { ...wanted, startup };
  const server = serverOf("mysql", address, { home: work.home, port: 3306 });
  const options: SessionOptions = { connector: () => connector, work, database: server.database };
  const connector: Connector = new Connector(server, {
    timeoutMs: work.connectMs,
    prepare: (session) => prepareSession(session, options),
  });
  return {
    connect: async (signal) => {
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(work.connectMs)]);
      return new MysqlWorkSession(await connector.connect(bounded), options);
    },
    close: () => Promise.resolve(),
  };
}

export const workbench: Workbench = {
  engine: "mysql",
  lexis: DIALECT.lexis,
  open: (address, options) => Promise.try(open, address, options),
  quote: quoteName,
  qualify: (table) => qualified(table, quoteName),
  useSchema: (schema) => `USE ${quoteName(schema)}`,
  version: "SELECT VERSION()",
  isReadOnly: "SELECT @@read_only = 1",
  catalog: CATALOG,
  values: VALUES,
  definitions: DEFINITIONS,
  routines: ROUTINES,
  users: USERS,
  plans: PLANS,
};
