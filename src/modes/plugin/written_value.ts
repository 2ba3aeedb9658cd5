/**
 * A value that the host writes, as an expression for its column: exactly what was shown comes back unchanged.
 */
import { Fault } from "../../base/fault.ts";
import { isJson } from "../../base/json.ts";
import type { ColumnKind, ValueSql } from "../../db/workbench.ts";
import { readBlob, type WrittenBlob } from "./blob.ts";
import type { TableColumn } from "./catalog.ts";

/** The host's word for a column's default. */
const USE_DEFAULT = "__USE_DEFAULT__";

export interface Writing {
  readonly values: ValueSql;
  /** Bytes of a file that may be written. */
  readonly maxBlobSize: number;
  /** The column's name in SQL where its row is there already, "" for a new row. */
  readonly columnSql: string;
  /** The value was shown: what stands in the column already may be what could not be written. */
  readonly isShown?: true;
}

export function isDefault(value: unknown): boolean {
  return value === USE_DEFAULT;
}

/** Throws Fault `bad_request` for a value that the column cannot hold. */
export async function writtenValue(value: unknown, column: TableColumn, options: Writing): Promise<string> {
  if (value === null || value === undefined) return "NULL";
  if (isDefault(value) && !options.isShown) {
    return options.values.defaultWord ?? column.default_value ?? "NULL";
  }
  const { values } = options;
  const kind = values.kind(column.data_type);
  if (typeof value === "string") {
    return await bytesOf(value, { ...options, kind, type: column.data_type }) ??
      fromText(value, column, options);
  }
  if (kind === "json") return values.literal(JSON.stringify(value), column.data_type);
  if (typeof value === "object") return nested(value, column, { values, kind });
  if (typeof value === "number" && kind !== "number" && kind !== "boolean" && values.number) {
    return values.number(String(value));
  }
  return fromText(String(value), column, options);
}

function nested(
  value: object,
  column: TableColumn,
  { values, kind }: { values: ValueSql; kind: ColumnKind },
): string {
  const fits = Array.isArray(value) ? kind === "list" || kind === "struct" : kind === "struct";
  if (fits && values.nested) {
    return values.nested(nestedJson(value, { type: column.data_type, values }), column.data_type);
  }
  throw refused(
    column,
    `it is of type ${column.data_type || "none"} and takes no ${Array.isArray(value) ? "list" : "object"}`,
  );
}

/** Bytes in it are written as the engine reads them. */
function nestedJson(value: unknown, { type, values }: { type: string; values: ValueSql }): string {
  return JSON.stringify(value, (_, member: unknown) => {
    const blob = typeof member === "string" ? readBlob(member) : undefined;
    const text = blob && values.nestedBytes?.(blob.bytes, type);
    if (blob && text !== undefined) requireWhole(blob);
    return text ?? member;
  });
}

/** Numbers that a double would bend are texts, which the engine reads; within documents they would become another value. */
function parsed(text: string, type: string): unknown {
  if (/^json/i.test(type)) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown, ...[context]: unknown[]) => {
    const hasSource = typeof context === "object" && context !== null && "source" in context;
    return typeof value === "number" && hasSource && String(value) !== context.source
      ? context.source
      : value;
  });
}

function fromText(text: string, column: TableColumn, { values, columnSql, isShown }: Writing): string {
  const type = column.data_type;
  const written = (opening: RegExp) =>
    opening.test(text) && values.nested && isJson(text)
      ? values.nested(nestedJson(parsed(text, type), { type, values }), type)
      : values.literal(text, type);
  const inColumn = () =>
    columnSql !== "" && values.textIn
      ? values.textIn(text, { name: columnSql, type })
      : values.literal(text, type);
  switch (values.kind(type)) {
    case "json":
      if (!isShown && !isJson(text)) {
        throw refused(column, 'the text is no JSON. Quote texts, as in "text"');
      }
      return values.literal(text, type);
    case "boolean":
      return isShown ? inColumn() : values.literal(booleanWord(text) ?? text, type);
    case "list":
      return written(/^\s*\[/);
    case "struct":
      return written(/^\s*[[{]/);
    case "spatial":
      return spatial(text, { values, columnSql }) ?? values.literal(text, type);
    default:
      return inColumn();
  }
}

/** As PostgreSQL reads them. */
function booleanWord(text: string): "true" | "false" | undefined {
  const word = text.trim().toLowerCase();
  if (/^(?:true|t|yes|y|on|1)$/.test(word)) return "true";
  return /^(?:false|f|no|n|off|0)$/.test(word) ? "false" : undefined;
}

const WKT =
  /^(?:SRID=(\d+);)?\s*((?:POINT|LINESTRING|POLYGON|MULTI\w+|GEOMETRYCOLLECTION)\s*(?:Z|M|ZM)?\s*(?:\(|EMPTY)[^;'"]*)$/i;
const CALL = /^\s*(?:ST_\w+|GeomFromText|GeomFromWKB|PointFromText|PointFromWKB)\s*\(/i;

function spatial(
  text: string,
  { values, columnSql }: Pick<Writing, "values" | "columnSql">,
): string | undefined {
  if (CALL.test(text) && isOneCall(text)) return text;
  const [, srid, wkt] = WKT.exec(text.trim()) ?? [];
  if (wkt === undefined) return undefined;
  return values.geometry(wkt, { srid: srid === undefined ? null : Number(srid), column: columnSql });
}

/** One balanced call and nothing behind it. */
function isOneCall(text: string): boolean {
  let depth = 0;
  const parts = text.trim().match(/'(?:[^']|'')*'|[()]|[^()']+/g) ?? [];
  for (const [index, part] of parts.entries()) {
    if (part === "(") depth++;
    if (part === ")" && --depth === 0 && index < parts.length - 1) return false;
    if (/;|--|\/\*/.test(part) && !part.startsWith("'")) return false;
  }
  return depth === 0;
}

interface BytesOptions extends Writing {
  readonly kind: ColumnKind;
  readonly type: string;
}

/** The bytes that a text in one of the host's binary forms stands for; undefined for another text. */
async function bytesOf(
  text: string,
  { kind, type, values, maxBlobSize }: BytesOptions,
): Promise<string | undefined> {
  if (kind !== "binary") return undefined;
  const file = /^BLOB_FILE_REF:\d+:[^:]*:(.+)$/s.exec(text)?.[1];
  if (file !== undefined) return values.bytes(await readFile(file, maxBlobSize), type);
  const blob = readBlob(text);
  if (blob === undefined) return undefined;
  requireWhole(blob);
  return values.bytes(blob.bytes, type);
}

function requireWhole({ bytes, size }: WrittenBlob): void {
  if (bytes.length === size) return;
  throw new Fault(
    "bad_request",
    `Cannot write the value: only ${bytes.length} of its ${size} bytes are there, which is a preview. Choose a file.`,
  );
}

async function readFile(path: string, most: number): Promise<Uint8Array> {
  try {
    const { size } = await Deno.stat(path);
    if (size <= most) return await Deno.readFile(path);
  } catch (cause) {
    throw new Fault(
      "bad_request",
      "Cannot write the file's content: the file cannot be read. Check its path.",
      { cause },
    );
  }
  throw new Fault(
    "too_large",
    `Cannot write the file's content: it is larger than ${most} bytes. Choose a smaller one.`,
  );
}

function refused(column: TableColumn, state: string): Fault {
  return new Fault("bad_request", `Cannot write the column ${JSON.stringify(column.name)}: ${state}.`);
}
