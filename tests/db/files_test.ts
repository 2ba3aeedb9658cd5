/**
 * The data-files engine: the parts of the conformance suite that files can have, on real CSV and Parquet files. What only
 * files have is in tests/db/files/.
 */
import { driver } from "../../src/db/files.ts";
import type { EngineFixture } from "../suites/database_fixture.ts";
import { faultTests } from "../suites/database_faults.ts";
import { rowTests } from "../suites/database_rows.ts";
import { sharingTests } from "../suites/database_sharing.ts";
import { stoppingTests } from "../suites/database_stopping.ts";
import { exportTables, filesTarget } from "../support/data_files.ts";
import { testFolder } from "../support/duckdb.ts";
import { DUCKDB_FIXTURE } from "../support/duckdb_fixture.ts";

function fixture(format: "csv" | "parquet"): EngineFixture {
  return {
    ...DUCKDB_FIXTURE,
    name: `files (${format})`,
    driver,
    async create(setup) {
      const folder = await testFolder();
      return { ...folder, target: filesTarget(await exportTables(folder.path, { setup, format })) };
    },
  };
}

for (const part of [rowTests, stoppingTests, sharingTests, faultTests]) part(fixture("csv"));
for (const part of [sharingTests, faultTests]) part(fixture("parquet"));
