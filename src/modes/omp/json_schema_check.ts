/**
 * Checks a tool's arguments against the JSON Schema that a host gave: types, required members, enums and what is not
 * allowed beside them, at any depth. Keywords beyond these are the host's own to check.
 */
import { Fault } from "../../base/fault.ts";
import type { Json } from "../../base/json.ts";

export type JsonSchema = { readonly [key: string]: unknown };

interface Where {
  readonly schema: JsonSchema;
  /** What the value is called in a sentence. */
  readonly place: string;
}

/** Throws Fault `bad_request` that names the first thing that does not fit. */
export function checkArguments(
  value: Json,
  { name, parameters }: { readonly name: string; readonly parameters: JsonSchema },
): void {
  const found = misfit(value, { schema: parameters, place: "the arguments" });
  if (found !== undefined) throw new Fault("bad_request", `Cannot call ${name}: ${found}.`);
}

function misfit(value: unknown, { schema, place }: Where): string | undefined {
  const types = typeof schema.type === "string"
    ? [schema.type]
    : Array.isArray(schema.type)
    ? schema.type
    : [];
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    return `${place} must be of type ${types.join(" or ")}`;
  }
  if (
    Array.isArray(schema.enum) && !schema.enum.some((each) => JSON.stringify(each) === JSON.stringify(value))
  ) {
    return `${place} must be one of ${JSON.stringify(schema.enum)}`;
  }
  if (Array.isArray(value)) {
    return firstOf(value, (each, at) => misfitIn(schema.items, { value: each, place: `${place}[${at}]` }));
  }
  return isObject(value) ? misfitOfObject(value, { schema, place }) : undefined;
}

function misfitOfObject(value: JsonSchema, { schema, place }: Where): string | undefined {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.find((name) => !Object.hasOwn(value, String(name)));
  if (missing !== undefined) return `${place} needs ${missing}`;
  const properties = isObject(schema.properties) ? schema.properties : {};
  return firstOf(Object.keys(value), (name) => {
    if (Object.hasOwn(properties, name)) {
      return misfitIn(properties[name], { value: value[name], place: name });
    }
    return schema.additionalProperties === false ? `${place} may not have ${name}` : undefined;
  });
}

function misfitIn(schema: unknown, { value, place }: { value: unknown; place: string }): string | undefined {
  return isObject(schema) ? misfit(value, { schema, place }) : undefined;
}

function firstOf<Item>(items: readonly Item[], find: (item: Item, at: number) => string | undefined) {
  for (const [at, item] of items.entries()) {
    const found = find(item, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "string":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    default:
      return true;
  }
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
