/**
 * The engines of this build, each loaded when its first database is opened.
 */
import type { Dialect, Driver, EngineName } from "./driver.ts";
import type { Workbench } from "./workbench.ts";

export interface Engine {
  readonly displayName: string;
  readonly dialect: Dialect["name"];
  load(): Promise<{ readonly driver: Driver }>;
  /** The engine for people who edit; left out where it has no such side. */
  workbench?(): Promise<{ readonly workbench: Workbench }>;
}

export type Engines = { readonly [name in EngineName]?: Engine };

/** What every database is wrapped in; a start that opens none does without it. */
export const loadGuard = () => import("./guarded.ts");

/** Who writes Parquet files. */
export const loadParquetWriter = () => import("./duckdb/write_parquet.ts");

/** One line for each engine: its names, and a literal path that only its first use loads. */
export const ENGINES: Engines = {
  sqlite: {
    displayName: "SQLite",
    dialect: "sqlite",
    load: () => import("./sqlite/sqlite.ts"),
    workbench: () => import("./sqlite/workbench/workbench.ts"),
  },
  duckdb: {
    displayName: "DuckDB",
    dialect: "duckdb",
    load: () => import("./duckdb.ts"),
    workbench: () => import("./duckdb/workbench/workbench.ts"),
  },
  postgres: {
    displayName: "PostgreSQL",
    dialect: "postgres",
    load: () => import("./postgres/engine.ts"),
    workbench: () => import("./postgres/workbench/workbench.ts"),
  },
  files: {
    displayName: "DuckDB",
    dialect: "duckdb",
    load: () => import("./files.ts"),
    workbench: () => import("./files/work.ts"),
  },
  mysql: {
    displayName: "MySQL",
    dialect: "mysql",
    load: () => import("./mysql/engine.ts"),
    workbench: () => import("./mysql/workbench/workbench.ts"),
  },
};
