/**
 * The shapes that the host decodes, field by field: a member more is harmless to it, one of another type is not.
 */
import * as z from "zod/mini";

const u64 = z.int().check(z.nonnegative());
const words = z.nullable(z.enum(["NO ACTION", "RESTRICT", "CASCADE", "SET NULL", "SET DEFAULT"]));

export const tableInfo = z.strictObject({ name: z.string(), comment: z.nullable(z.string()) });
export const tableColumn = z.strictObject({
  name: z.string(),
  data_type: z.string(),
  is_pk: z.boolean(),
  is_nullable: z.boolean(),
  is_auto_increment: z.boolean(),
  is_generated: z.boolean(),
  default_value: z.nullable(z.string()),
  character_maximum_length: z.nullable(u64),
  comment: z.nullable(z.string()),
});
export const foreignKey = z.strictObject({
  name: z.string(),
  column_name: z.string(),
  ref_table: z.string(),
  ref_column: z.string(),
  on_delete: words,
  on_update: words,
});
export const index = z.strictObject({
  name: z.string(),
  column_name: z.string(),
  is_unique: z.boolean(),
  is_primary: z.boolean(),
  seq_in_index: z.int().check(z.positive()),
  is_expression: z.boolean(),
});
export const viewInfo = z.strictObject({ name: z.string(), definition: z.null() });
export const routineInfo = z.strictObject({
  name: z.string(),
  routine_type: z.enum(["FUNCTION", "PROCEDURE"]),
  definition: z.null(),
});
export const routineParameter = z.strictObject({
  name: z.string(),
  data_type: z.string(),
  mode: z.enum(["IN", "OUT", "INOUT"]),
  ordinal_position: z.int(),
});
export const triggerInfo = z.strictObject({
  name: z.string(),
  table_name: z.string(),
  event: z.string().check(z.regex(/^(DELETE|INSERT|TRUNCATE|UPDATE)( OR (INSERT|TRUNCATE|UPDATE))*$/)),
  timing: z.enum(["BEFORE", "AFTER", "INSTEAD OF"]),
  definition: z.null(),
});
export const tableSchema = z.strictObject({
  name: z.string(),
  columns: z.array(tableColumn),
  foreign_keys: z.array(foreignKey),
});

const pagination = z.strictObject({
  page: u64,
  page_size: u64,
  total_rows: z.null(),
  has_more: z.boolean(),
});
export const queryResult = z.strictObject({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.unknown())),
  affected_rows: u64,
  truncated: z.boolean(),
  pagination: z.nullable(pagination),
  additional_results: z.optional(z.array(z.unknown())),
});
export const sessionResult = z.strictObject({ result: queryResult, in_transaction: z.boolean() });
export const batchItem = z.union([
  z.strictObject({ result: queryResult, error: z.null(), execution_time_ms: z.number() }),
  z.strictObject({ result: z.null(), error: z.string(), execution_time_ms: z.number() }),
]);
