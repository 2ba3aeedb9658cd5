/**
 * JSON Schema in the subset that every MCP host and model server accepts: one `type` each, no `$ref`, no `anyOf`,
 * no bounds. The types leave no other way to write it; the arguments' schemas are made from the ones that check them.
 */
import * as z from "zod/mini";

export type JsonSchema = Scalar | ArraySchema | ObjectSchema;

type Scalar = { type: "string" | "integer" | "boolean"; description?: string; enum?: string[] };
type ArraySchema = { type: "array"; items: JsonSchema };
export type ObjectSchema = {
  type: "object";
  properties?: { [name: string]: JsonSchema };
  required?: string[];
  additionalProperties?: false;
};

/** The schema of a call's arguments: no others are accepted. */
export type ArgumentsSchema =
  & ObjectSchema
  & Required<Pick<ObjectSchema, "properties" | "additionalProperties">>;

/** The arguments that a strict object of scalars accepts. */
export function argumentsSchema(schema: z.ZodMiniObject): ArgumentsSchema {
  const { properties = {}, required = [] } = z.toJSONSchema(schema);
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, scalar(name, of)])),
    ...(required.length > 0 ? { required } : {}), // early drafts of JSON Schema forbid an empty list
    additionalProperties: false,
  };
}

function scalar(name: string, schema: z.core.JSONSchema.BaseSchema | boolean): Scalar {
  const { type, description, enum: values } = typeof schema === "object" ? schema : {};
  if (type !== "string" && type !== "integer" && type !== "boolean") {
    throw new TypeError(`The argument ${name} has no portable schema.`);
  }
  return {
    type,
    ...(description === undefined ? {} : { description }),
    ...(values === undefined ? {} : { enum: values.map(String) }),
  };
}
