/**
 * Whether lines are what `saber rpc --schema` says, as a validator of others (ajv) reads it.
 */
import { createRequire } from "node:module";
import { peer } from "./peers.ts";
import { saberCommand } from "./program.ts";
import { repository } from "./sources.ts";

/** The errors of a value, as text; undefined for a value that fits. */
export type Check = (value: unknown) => string | undefined;

/** Checks of what a host sends, and of what it is told. */
export async function schemaChecks(): Promise<{ readonly sent: Check; readonly told: Check }> {
  const [command = "", ...words] = saberCommand();
  const printed = new Deno.Command(command, { args: [...words, "rpc", "--schema"], cwd: repository });
  const schema: unknown = JSON.parse(new TextDecoder().decode((await printed.output()).stdout));
  const { Ajv2020 } = createRequire(await peer("ajv"))("./dist/2020.js");
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  ajv.addSchema(schema, "rpc");
  const checkOf = (...names: string[]): Check => {
    const anyOf = names.map((name) => ({ $ref: `rpc#/$defs/${name}` }));
    const validate = ajv.compile({ anyOf });
    return (value) => validate(value) ? undefined : ajv.errorsText(validate.errors);
  };
  return { sent: checkOf("Command"), told: checkOf("Response", "Event") };
}
