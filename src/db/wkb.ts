/**
 * Well-known binary geometry as text: `POINT(1 2)`, with `SRID=4326;` in front when the bytes name one. Reads PostGIS's
 * extended form and ISO's. It knows no database; bytes it cannot read to their end are not a geometry to it.
 */

const NAMES: Readonly<Record<number, string>> = {
  1: "POINT",
  2: "LINESTRING",
  3: "POLYGON",
  4: "MULTIPOINT",
  5: "MULTILINESTRING",
  6: "MULTIPOLYGON",
  7: "GEOMETRYCOLLECTION",
  8: "CIRCULARSTRING",
  9: "COMPOUNDCURVE",
  10: "CURVEPOLYGON",
  11: "MULTICURVE",
  12: "MULTISURFACE",
  15: "POLYHEDRALSURFACE",
  16: "TIN",
  17: "TRIANGLE",
};

/** Kinds that are a list of positions, and those that are a list of such lists; all others hold geometries. */
const LINES = [2, 8];
const RINGS = [3, 17];
const POINT = 1;

/** Kinds whose members are written without their own name, with the kind of member that goes unnamed. */
const UNNAMED_MEMBERS: Readonly<Record<number, number>> = {
  4: 1,
  5: 2,
  6: 3,
  9: 2,
  10: 2,
  11: 2,
  12: 3,
  15: 3,
  16: 17,
};

/** Flags of PostGIS's extended form. */
const HAS_Z = 0x8000_0000;
const HAS_M = 0x4000_0000;
const HAS_SRID = 0x2000_0000;

/** Collections may nest; deeper ones are refused. */
const MAX_DEPTH = 32;

/** The text of a geometry given as bytes or in hexadecimal; undefined for what is not one. */
export function decodeWkb(bytesOrHex: Uint8Array | string): string | undefined {
  try {
    const bytes = typeof bytesOrHex === "string" ? Uint8Array.fromHex(bytesOrHex) : bytesOrHex;
    const reader = new Reader(bytes);
    const { srid, text } = reader.geometry(0);
    if (!reader.isAtEnd) return undefined;
    return srid === 0 ? text.named : `SRID=${srid};${text.named}`;
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface GeometryText {
  readonly kind: number;
  /** With its name, and without, as members of some kinds are written. */
  readonly named: string;
  readonly bare: string;
}

class Reader {
  readonly #view: DataView;
  #at = 0;
  #little = true;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#view.byteLength;
  }

  /** Throws RangeError where the bytes end too early or mean nothing. */
  geometry(depth: number): { srid: number; text: GeometryText } {
    if (depth > MAX_DEPTH) throw new RangeError("too deep");
    this.#little = this.#byte() === 1;
    const word = this.#integer();
    const iso = word & 0x0fff_ffff;
    const kind = iso % 1000;
    const hasZ = (word & HAS_Z) !== 0 || [1, 3].includes(Math.floor(iso / 1000));
    const hasM = (word & HAS_M) !== 0 || [2, 3].includes(Math.floor(iso / 1000));
    const srid = (word & HAS_SRID) === 0 ? 0 : this.#integer();
    const name = NAMES[kind];
    if (name === undefined) throw new RangeError(`kind ${kind}`);
    const bare = this.#body(kind, { dimensions: 2 + Number(hasZ) + Number(hasM), depth });
    const suffix = hasZ || hasM ? ` ${hasZ ? "Z" : ""}${hasM ? "M" : ""} ` : bare === "EMPTY" ? " " : "";
    return { srid, text: { kind, named: `${name}${suffix}${bare}`, bare } };
  }

  #body(kind: number, { dimensions, depth }: { dimensions: number; depth: number }): string {
    if (kind === POINT) {
      const position = this.#position(dimensions);
      return position.split(" ").every((number) => number === "NaN") ? "EMPTY" : `(${position})`;
    }
    if (LINES.includes(kind)) return this.#list(() => this.#position(dimensions));
    if (RINGS.includes(kind)) return this.#list(() => this.#list(() => this.#position(dimensions)));
    return this.#list(() => {
      const little = this.#little;
      const { text } = this.geometry(depth + 1);
      this.#little = little;
      return text.kind === UNNAMED_MEMBERS[kind] ? text.bare : text.named;
    });
  }

  #list(item: () => string): string {
    const count = this.#integer();
    const items: string[] = [];
    for (let i = 0; i < count; i++) items.push(item());
    return count === 0 ? "EMPTY" : `(${items.join(",")})`;
  }

  #position(dimensions: number): string {
    const numbers: string[] = [];
    for (let i = 0; i < dimensions; i++) numbers.push(String(this.#double()));
    return numbers.join(" ");
  }

  #byte(): number {
    return this.#view.getUint8(this.#at++);
  }

  #integer(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, this.#little);
  }

  #double(): number {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, this.#little);
  }
}
