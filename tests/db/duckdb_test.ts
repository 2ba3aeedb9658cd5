/** The DuckDB engine: the conformance suite on real files. What only DuckDB has is in tests/db/duckdb/. */
import { driver } from "../../src/db/duckdb.ts";
import { databaseSuite } from "../suites/database_suite.ts";
import { duckdbFile, testFolder } from "../support/duckdb.ts";
import { DUCKDB_FIXTURE } from "../support/duckdb_fixture.ts";

databaseSuite({
  ...DUCKDB_FIXTURE,
  name: "duckdb",
  driver,
  async create(setup) {
    const folder = await testFolder();
    return { ...folder, target: await duckdbFile(folder.path, setup) };
  },
  writes: [
    "INSERT INTO plain VALUES (4, 'four')",
    "INSERT INTO plain VALUES (4, 'four') RETURNING id",
    "INSERT OR REPLACE INTO plain VALUES (1, 'x')",
    "UPDATE plain SET name = 'x'",
    "DELETE FROM plain",
    "MERGE INTO plain USING plain p ON false WHEN NOT MATCHED THEN INSERT VALUES (9, 'x')",
    ...DUCKDB_FIXTURE.writes,
  ],
});
