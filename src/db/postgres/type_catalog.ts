/**
 * The types of one database: looked up in its catalog when a result first has them, then remembered.
 */
import { lacksCatalog, postgresFault } from "./faults.ts";
import type { Ask } from "./lease.ts";
import type { TextRow } from "./session.ts";
import { writeArray } from "./text_formats.ts";
import { shortTypeName } from "./type_names.ts";
import { arrayType, builtInType, type CellType, compositeType, geometryType, hstoreType } from "./types.ts";

/** How many types are remembered; then all are forgotten. */
const REMEMBERED = 10_000;

/** How deep types may be made of types; what lies deeper stays text. */
const MAX_DEPTH = 16;

const TYPES = `
SELECT t.oid, format_type(t.oid, NULL), t.typname, t.typtype,
  CASE WHEN t.typlen = -1 THEN t.typelem ELSE 0 END, t.typdelim, t.typbasetype, t.typrelid
FROM pg_catalog.pg_type t WHERE t.oid = ANY ($1::oid[])`;

const FIELDS = `
SELECT attrelid, attname, atttypid FROM pg_catalog.pg_attribute
WHERE attrelid = ANY ($1::oid[]) AND attnum > 0 AND NOT attisdropped ORDER BY attrelid, attnum`;

/** What the catalog says of a type; zero where it is not of that kind. */
interface Entry {
  readonly name: string;
  readonly ownName: string;
  readonly kind: string;
  readonly element: number;
  readonly delimiter: string;
  readonly base: number;
  readonly fields: readonly (readonly [name: string, type: number])[];
}

export class TypeCatalog {
  readonly #ask: Ask;
  readonly #entries = new Map<number, Entry>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /**
   * The types with these identifiers, in their order; one that the server cannot describe is text without a name.
   * Throws Fault when the catalog cannot be read.
   */
  async types(identifiers: readonly number[]): Promise<CellType[]> {
    if (this.#entries.size > REMEMBERED) this.#entries.clear();
    let unknown = identifiers.filter((oid) => this.#isUnknown(oid));
    for (let depth = 0; unknown.length > 0 && depth < MAX_DEPTH; depth++) {
      unknown = await this.#learn(unknown).catch((error) => {
        if (lacksCatalog(error)) return [];
        throw postgresFault(error, "read what the server says of the result's types");
      });
    }
    return identifiers.map((oid) => this.#build(oid, 0));
  }

  #isUnknown(oid: number): boolean {
    return oid !== 0 && builtInType(oid) === undefined && !this.#entries.has(oid);
  }

  /** Reads these types, and tells which they are made of that are not known yet. */
  async #learn(identifiers: readonly number[]): Promise<number[]> {
    const rows = await this.#ask(TYPES, [writeArray(identifiers.map(String))]);
    const relations = rows.flatMap(([, , , , , , , relation]) => relation === "0" ? [] : [Number(relation)]);
    const fieldRows = relations.length === 0
      ? []
      : await this.#ask(FIELDS, [writeArray(relations.map(String))]);
    const learned = rows.map((row) => this.#remember(row, fieldRows));
    return learned.flatMap(({ element, base, fields }) => [element, base, ...fields.map(([, type]) => type)])
      .filter((oid) => this.#isUnknown(oid));
  }

  #remember(row: TextRow, fieldRows: readonly TextRow[]): Entry {
    const [oid, name, ownName, kind, element, delimiter, base, relation] = row;
    const fields = fieldRows.filter(([of]) => of === relation);
    const entry = {
      name: shortTypeName(name ?? ""),
      ownName: ownName ?? "",
      kind: kind ?? "",
      element: Number(element),
      delimiter: delimiter ?? ",",
      base: Number(base),
      fields: fields.map(([, field, type]) => [field ?? "", Number(type)] as const),
    };
    this.#entries.set(Number(oid), entry);
    return entry;
  }

  #build(oid: number, depth: number): CellType {
    const known = builtInType(oid);
    if (known) return known;
    const entry = this.#entries.get(oid);
    if (!entry || depth > MAX_DEPTH) return { name: entry?.name ?? "" };
    const { name, kind, fields } = entry;
    if (entry.element !== 0) {
      return { ...arrayType(this.#build(entry.element, depth + 1), entry.delimiter), name };
    }
    if (kind === "d") return { ...this.#build(entry.base, depth + 1), name };
    if (kind === "c") {
      return compositeType(name, fields.map(([field, type]) => [field, this.#build(type, depth + 1)]));
    }
    if (entry.ownName === "hstore") return hstoreType(name);
    return entry.ownName === "geometry" || entry.ownName === "geography" ? geometryType(name) : { name };
  }
}
