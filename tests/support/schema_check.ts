/**
 * Whether lines are what `saber rpc --schema` says, as a validator of others reads it.
 */
import { peer } from "./peers.ts";
import { saberCommand } from "./program.ts";
import { repository } from "./sources.ts";

/** The errors of a value, as text; undefined for a value that fits. */
export type Check = (value: unknown) => string | undefined;

interface Verdict {
  readonly valid: boolean;
  readonly errors: readonly { readonly instanceLocation: string; readonly error: string }[];
}

/** Checks of what a host sends, and of what it is told. */
export async function schemaChecks(): Promise<{ readonly sent: Check; readonly told: Check }> {
  const [command = "", ...words] = saberCommand();
  const printed = new Deno.Command(command, { args: [...words, "rpc", "--schema"], cwd: repository });
  const { $defs }: { $defs: object } = JSON.parse(new TextDecoder().decode((await printed.output()).stdout));
  const { Validator } = await import(new URL("dist/esm/index.js", await peer("@cfworker/json-schema")).href);
  const checkOf = (...names: string[]): Check => {
    const anyOf = names.map((name) => ({ $ref: `#/$defs/${name}` }));
    const validator = new Validator({ $defs, anyOf }, "2020-12", false);
    return (value) => {
      const { valid, errors }: Verdict = validator.validate(value);
      return valid ? undefined : errors.map((each) => `${each.instanceLocation}: ${each.error}`).join("\n");
    };
  };
  return { sent: checkOf("Command"), told: checkOf("Response", "Event") };
}
