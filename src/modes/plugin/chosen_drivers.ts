/**
 * The drivers that a command line names.
 */
import { Fault } from "../../base/fault.ts";
import { shown } from "../../base/shown.ts";
import { DRIVER_IDS, type DriverId, isDriver } from "./drivers.ts";

/** All of them when none is named. Throws Fault `usage`. */
export function chosenDrivers(driver: string | undefined): readonly DriverId[] {
  if (driver === undefined) return DRIVER_IDS;
  if (isDriver(driver)) return [driver];
  throw new Fault("usage", `There is no driver ${shown(driver)}. Use one of ${DRIVER_IDS.join(", ")}.`);
}
