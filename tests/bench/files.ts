/**
 * Large data files: how soon one that was just selected gives its first rows. Their size in gigabytes is the caller's.
 */
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { driver } from "../../src/db/files.ts";
import { readRows, run } from "../suites/database_fixture.ts";
import { filesTarget } from "../support/data_files.ts";
import { testFolder } from "../support/duckdb.ts";
import { type Bench, inTurns } from "./bench.ts";

type Format = "parquet" | "csv";

/** Bytes of a row in each format, as the statement below makes them. */
const ROW_BYTES: { readonly [format in Format]: number } = { parquet: 104, csv: 101 };

const OPTIONS: { readonly [format in Format]: string } = {
  parquet: "FORMAT parquet, COMPRESSION uncompressed",
  csv: "FORMAT csv",
};

const FIRST = "SELECT * FROM big LIMIT 10";

/** Makes the file, `big`, in the folder. */
async function makeFile(folder: string, { format, rows }: { format: Format; rows: number }): Promise<string> {
  const path = join(folder, `big.${format}`);
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`COPY (SELECT range AS id, md5(range::VARCHAR) AS name, random() AS amount,
    md5((range * 7)::VARCHAR) AS note, range % 1000 AS place FROM range(${rows})) TO '${path}' (${
    OPTIONS[format]
  })`);
  connection.closeSync();
  instance.closeSync();
  return path;
}

function firstRows(
  format: Format,
  { gigabytes, limit }: { gigabytes: number; limit: Bench["limit"] },
): Bench {
  return {
    name: `${format === "csv" ? "CSV" : "Parquet"} of ${gigabytes} GB: selecting it until its first 10 rows`,
    baseline: "DuckDB's own, in a new database",
    ...limit === undefined ? {} : { limit },
    run: async () => {
      await using folder = await testFolder();
      const rows = Math.ceil(gigabytes * 1e9 / ROW_BYTES[format]);
      const path = await makeFile(folder.path, { format, rows });
      const measured = async () => {
        const database = await driver.open(filesTarget([path]), { access: "read", timeoutMs: 60_000 });
        await readRows(await run(database, FIRST));
        return { [Symbol.asyncDispose]: () => database.close() };
      };
      const baseline = async () => {
        const instance = await DuckDBInstance.create(":memory:");
        const connection = await instance.connect();
        await connection.runAndReadAll(`SELECT * FROM '${path}' LIMIT 10`);
        connection.closeSync();
        instance.closeSync();
      };
      return await inTurns({ measured, baseline }, { turns: 5, warmUp: 0 });
    },
  };
}

export function filesBenches(gigabytes: number): readonly Bench[] {
  return [
    firstRows("parquet", { gigabytes, limit: { ms: 1000 } }),
    firstRows("csv", { gigabytes, limit: undefined }),
  ];
}
