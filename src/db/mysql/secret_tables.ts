/**
 * The server's own tables that hold passwords: of its users, of other servers, of replication. The server keeps them
 * from most users; they are refused to all.
 */
import { Fault } from "../../base/fault.ts";
import type { TableName } from "./tree.ts";

const SYSTEM = "mysql";
const SECRET = ["user", "global_priv", "servers", "password_history", "slave_master_info"];

/** `database` is where a table without one is looked for. Throws Fault `permission_denied`. */
export function refuseSecrets(tables: readonly TableName[], database: string | undefined): void {
  const isSecret = (names: TableName) => {
    const [name = "", schema = database ?? ""] = names.map((each) => each.toLowerCase()).toReversed();
    return schema.toLowerCase() === SYSTEM && SECRET.includes(name);
  };
  if (!tables.some(isSecret)) return;
  throw new Fault(
    "permission_denied",
    "Cannot run the statement: a table in it holds passwords of the server. Ask without it.",
  );
}
