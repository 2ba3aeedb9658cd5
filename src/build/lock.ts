/**
 * What `deno.lock` says of the packages: the checksum of each.
 */
import * as z from "zod/mini";

const Lock = z.object({ npm: z.record(z.string(), z.object({ integrity: z.string() })) });

/** By `name@version`, sometimes followed by the versions of its peers. Throws for a file in another form. */
export async function lockedPackages(): Promise<{ readonly [key: string]: { readonly integrity: string } }> {
  return Lock.parse(JSON.parse(await Deno.readTextFile("deno.lock"))).npm;
}
