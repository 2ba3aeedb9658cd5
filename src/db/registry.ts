/**
 * The engines of this build, each loaded when its first database is opened.
 */
import type { Permission } from "../base/permissions.ts";
import type { Dialect, Driver, EngineName } from "./driver.ts";
import type { Workbench } from "./workbench.ts";

export interface Engine {
  readonly displayName: string;
  readonly dialect: Dialect["name"];
  load(): Promise<{ readonly driver: Driver }>;
  /** What its databases need of the program besides reading files. */
  readonly needs: readonly Permission[];
  /** Loads a native library before its first use; what LOADING says is not needed any more then. */
  loadLibrary?(): Promise<unknown>;
  /** The engine for people who edit; left out where it has no such side. */
  workbench?(): Promise<{ readonly workbench: Workbench }>;
}

export type Engines = { readonly [name in EngineName]?: Engine };

/** What every database is wrapped in; a start that opens none does without it. */
export const loadGuard = () => import("./guarded.ts");

const loadDuckDb = async () => await (await import("./duckdb/library.ts")).loadDuckDb();

/** A native library asks for leave to be loaded, and a compiled program has to unpack it. */
export const LOADING: readonly Permission[] = ["ffi", "write"];

/** Libraries of servers read settings of their own from the environment, and the name of the user. */
const SERVER: readonly Permission[] = ["net", "env", "sys"];

/** Who writes Parquet files. */
export const loadParquetWriter = () => import("./duckdb/write_parquet.ts");

/** One line for each engine: its names, and a literal path that only its first use loads. */
export const ENGINES: Engines = {
  sqlite: {
    displayName: "SQLite",
    dialect: "sqlite",
    load: () => import("./sqlite/sqlite.ts"),
    needs: ["run"],
    workbench: () => import("./sqlite/workbench/workbench.ts"),
  },
  duckdb: {
    displayName: "DuckDB",
    dialect: "duckdb",
    load: () => import("./duckdb.ts"),
    needs: LOADING,
    loadLibrary: loadDuckDb,
    workbench: () => import("./duckdb/workbench/workbench.ts"),
  },
  postgres: {
    displayName: "PostgreSQL",
    dialect: "postgres",
    load: () => import("./postgres/engine.ts"),
    needs: SERVER,
    workbench: () => import("./postgres/workbench/workbench.ts"),
  },
  files: {
    displayName: "DuckDB",
    dialect: "duckdb",
    load: () => import("./files.ts"),
    needs: LOADING,
    loadLibrary: loadDuckDb,
    workbench: () => import("./files/work.ts"),
  },
  mysql: {
    displayName: "MySQL",
    dialect: "mysql",
    load: () => import("./mysql/engine.ts"),
    needs: SERVER,
    workbench: () => import("./mysql/workbench/workbench.ts"),
  },
};
