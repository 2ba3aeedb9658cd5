/**
 * Opening DuckDB instances with everything outside of the database closed: no other files, no network, no extensions, no
 * secrets, no spilling to disk, and no setting that a statement could change.
 */
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { DuckDb } from "./library.ts";

export interface InstanceOptions {
  readonly api: DuckDb;
  /** A path, or `:memory:`. */
  readonly path: string;
  readonly readOnly: boolean;
  /** Done while files can still be read, before the doors close; then these files alone stay readable. */
  readonly prepare?: { readonly paths: readonly string[]; run(connection: DuckDBConnection): Promise<void> };
}

/** No extensions, and no secrets that outlive the process. */
export const CLOSED = {
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  allow_community_extensions: "false",
  allow_persistent_secrets: "false",
};
/** Errors come as JSON. An empty temp directory means that what does not fit into memory fails instead of being spilled. */
const SETTINGS = { ...CLOSED, errors_as_json: "true", temp_directory: "" };

/** Throws what DuckDB throws. */
export async function openInstance(
  { api, path, readOnly, prepare }: InstanceOptions,
): Promise<DuckDBInstance> {
  const instance = await api.DuckDBInstance.create(path, {
    ...SETTINGS,
    ...(readOnly && path !== ":memory:" ? { access_mode: "READ_ONLY" } : {}),
    ...(prepare === undefined ? { enable_external_access: "false" } : {}),
  });
  const connection = await instance.connect();
  try {
    // Zoned times then look the same on every machine.
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    if (prepare !== undefined) {
      await prepare.run(connection);
      await connection.run("SET GLOBAL allowed_paths = $1", [api.listValue(prepare.paths)]);
      await connection.run("SET GLOBAL enable_external_access = false");
    }
    await connection.run("SET GLOBAL lock_configuration = true");
    connection.closeSync();
    return instance;
  } catch (error) {
    connection.closeSync();
    instance.closeSync();
    throw error;
  }
}
