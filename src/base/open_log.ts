/**
 * The program's log as its settings have it, and the giving up of permissions that goes with it: the log tells what is left,
 * and stays with its file when the right to write goes.
 */
import { createLog, type Log } from "./log.ts";
import { LogFile } from "./log_file.ts";
import type { LogSettings } from "./log_settings.ts";
import { heldPermissions, keepOnly, type Permission } from "./permissions.ts";

export interface OpenLog {
  readonly log: Log;
  /** Gives up all other permissions for good. */
  keepOnly(permissions: readonly Permission[]): void;
}

/** `warn` takes the copies for stderr. */
export function openLog({ level, toStderr, ...options }: LogSettings, warn: (line: string) => void): OpenLog {
  const file = new LogFile(options);
  const log = createLog((line) => {
    file.write(line);
    if (toStderr) warn(line);
  }, level);
  return {
    log,
    keepOnly(permissions) {
      if (!permissions.includes("write")) file.hold();
      keepOnly(permissions);
      log(`permissions left: ${heldPermissions().join(", ")}`, { level: "info" });
    },
  };
}
