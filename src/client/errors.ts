/**
 * What goes wrong between a host and saber.
 */

/** A command that saber did not do; `message` is saber's sentence. */
export class CommandError extends Error {
  override readonly name = "CommandError";

  /** `command` is the command's type, or `startup`. */
  constructor(readonly command: string, message: string) {
    super(message);
  }
}

/** saber is not there: it could not be started, has ended, or speaks another protocol. */
export class GoneError extends Error {
  override readonly name = "GoneError";
}
