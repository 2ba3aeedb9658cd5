/**
 * The database that a command about knowledge means: a saved connection, since only its name stays the same.
 */
import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";

/** Throws Fault: usage, no_database, bad_target. */
export async function knownDatabase(app: App): Promise<string> {
  const [target, ...others] = await app.resolve(app.given.flags.database ?? []);
  if (target?.saved && others.length === 0) return target.name;
  throw new Fault(
    "usage",
    "Knowledge belongs to a saved connection. Name one with -d; 'saber db list' shows them.",
  );
}
