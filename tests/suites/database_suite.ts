/**
 * The conformance suite of database engines: what `src/db/driver.ts` promises, asked of a real engine.
 * An engine joins with one test file that calls `databaseSuite` with its fixture.
 */
import { catalogTests } from "./database_catalog.ts";
import type { EngineFixture } from "./database_fixture.ts";
import { faultTests } from "./database_faults.ts";
import { rowTests } from "./database_rows.ts";
import { sharingTests } from "./database_sharing.ts";
import { stoppingTests } from "./database_stopping.ts";
import { writingTests } from "./database_writing.ts";

/** Registers all tests of the suite for one engine. */
export function databaseSuite(fixture: EngineFixture): void {
  for (const part of [rowTests, stoppingTests, sharingTests, faultTests, writingTests, catalogTests]) {
    part(fixture);
  }
}
