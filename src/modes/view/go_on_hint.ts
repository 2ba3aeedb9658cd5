/**
 * How to go on with a conversation that was kept.
 */
import type { OpenDatabases } from "../../app.ts";

/** Databases that were named as a file or an address are not kept with the thread. */
export function goOnHint(id: string, { selectors }: Pick<OpenDatabases, "selectors">): string {
  return `To go on: saber --thread ${id}${selectors === null ? " with the same -d" : ""}`;
}
