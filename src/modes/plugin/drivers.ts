/**
 * The drivers that the host may know this program as, and the engine of each. Their manifests are manifest.ts's.
 */
import type { EngineName } from "../../db/driver.ts";

export const DRIVERS = {
  "saber-postgres": "postgres",
  "saber-mysql": "mysql",
  "saber-sqlite": "sqlite",
  "saber-duckdb": "duckdb",
  "saber-files": "files",
} as const satisfies Record<string, EngineName>;

export type DriverId = keyof typeof DRIVERS;

export function isDriver(id: string | undefined): id is DriverId {
  return id !== undefined && Object.hasOwn(DRIVERS, id);
}

export const DRIVER_IDS = Object.keys(DRIVERS).filter(isDriver);
