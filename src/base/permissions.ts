/**
 * What Deno lets a program do, by Deno's names, and giving up what a run does not need. A permission that was given for
 * everything can only be given up as a whole: Deno ignores the revocation of a part of it.
 */

export type Permission = (typeof PERMISSIONS)[number];

const PERMISSIONS = ["read", "write", "env", "net", "run", "ffi", "sys"] as const;

/** Gives up all others, for good. Nothing comes back, also not for a part of the program that is loaded later. */
export function keepOnly(needed: readonly Permission[]): void {
  for (const name of PERMISSIONS) if (!needed.includes(name)) Deno.permissions.revokeSync({ name });
}

/** What the program may do now, in whole or in part. */
export function heldPermissions(): readonly Permission[] {
  return PERMISSIONS.filter((name) => Deno.permissions.querySync(partOf(name)).state === "granted");
}

/** Where only a part is given, Deno says nothing of the whole: a part that is always among what is given. */
function partOf(name: Permission): Deno.PermissionDescriptor {
  if (name === "run") return { name, command: "deno" };
  return name === "sys" ? { name, kind: "hostname" } : { name };
}
