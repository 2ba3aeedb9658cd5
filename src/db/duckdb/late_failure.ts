/**
 * Why a statement failed after its first rows. The library ends the rows as if there were no more, and its result only stops
 * being a stream; so the statement, which reads, is run once more with its rows thrown away, to hear the error.
 */
import { Fault } from "../../base/fault.ts";
import { statementFault } from "./errors.ts";
import type { Held } from "./lease.ts";

const ANALYZE = "EXPLAIN ANALYZE ";

/** Always throws a Fault: DuckDB's error, or that there was one. */
export async function explainFailure(lease: Held, sql: string): Promise<never> {
  let fault = new Fault(
    "database_error",
    "Cannot read all rows: DuckDB stopped after some of them and does not say why. Ask for less at once.",
    { server: { message: "The result ended early." } },
  );
  await lease.use(async (connection) => {
    try {
      await connection.run(ANALYZE + sql);
    } catch (error) {
      fault = withoutPrefix(statementFault(error));
    }
  });
  throw fault;
}

function withoutPrefix(fault: Fault): Fault {
  const { server, code, message, cause } = fault;
  if (server?.position === undefined) return fault;
  return new Fault(code, message, {
    server: { ...server, position: server.position - ANALYZE.length },
    cause,
  });
}
