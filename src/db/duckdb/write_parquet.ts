/**
 * Writes a CSV file of ours again as Parquet, in a DuckDB of its own that can touch these two files and no others.
 */
import { Fault } from "../../base/fault.ts";
import type { ParquetColumn, ParquetJob } from "../parquet.ts";
import { quoteName, quoteText } from "../sql_text.ts";
import { Connections } from "./connections.ts";
import { parseError } from "./error_json.ts";
import { openInstance } from "./instance.ts";
import { loadDuckDb } from "./library.ts";

/** What DuckDB reads of a line unless told otherwise. */
const USUAL_LINE = 2_000_000;

/** Throws Fault: cancelled, unavailable where the disk is full or refuses. */
export async function writeParquet(job: ParquetJob): Promise<void> {
  const api = await loadDuckDb();
  const prepare = { paths: [job.csv, job.parquet], run: saveMemory };
  const connections = new Connections(() =>
    openInstance({ api, path: ":memory:", readOnly: false, prepare })
  );
  try {
    const lease = await connections.lease(job.signal);
    await lease.use(async (connection) => await connection.run(copySql(job)));
  } catch (error) {
    throw error instanceof Error && parseError(error.message)?.exception_type === "IO"
      ? notTaken(error)
      : error;
  } finally {
    await connections.close();
  }
}

/**
 * One thread keeps the rows in their order by itself and holds the least memory; a row group can be bound in bytes only
 * where DuckDB is not asked to keep the order.
 */
async function saveMemory(connection: { run(sql: string): Promise<unknown> }): Promise<void> {
  await connection.run("SET GLOBAL threads = 1");
  await connection.run("SET GLOBAL preserve_insertion_order = false");
}

function notTaken(cause: Error): Fault {
  const what = "the disk did not take it. Free some space, or ask for fewer rows";
  return new Fault("unavailable", `Cannot write the Parquet file: ${what}.`, { cause });
}

function copySql({ csv, parquet, columns, longestRow }: ParquetJob): string {
  const types = columns.map((_, at) => `'c${at}': 'VARCHAR'`).join(", ");
  const line = Math.max(USUAL_LINE, longestRow + 1);
  return `COPY (SELECT ${columns.map(valueSql).join(", ")} FROM read_csv(${quoteText(csv)},
    auto_detect = false, header = true, delim = ',', quote = '"', escape = '"', comment = '', new_line = '\\n',
    nullstr = '\\N', parallel = false, max_line_size = ${line}, buffer_size = ${
    2 * line
  }, columns = {${types}}
  )) TO ${quoteText(parquet)} (FORMAT parquet, ROW_GROUP_SIZE_BYTES '16MB')`;
}

/** A backslash is two in our CSV. */
function valueSql({ name, type }: ParquetColumn, at: number): string {
  const value = type === "VARCHAR"
    ? `replace(c${at}, '\\\\', '\\')`
    : type === "BLOB"
    ? `from_base64(c${at})`
    : `CAST(c${at} AS ${type})`;
  return `${value} AS ${quoteName(name)}`;
}
