/**
 * Geometry as text: MySQL's own binary form (four bytes of SRID, then WKB) as WKT, with the SRID before it when it is
 * not 0. Coordinates stand in the order in which they are stored. A form it does not know becomes hexadecimal digits.
 */

const NAMES = [
  "",
  "POINT",
  "LINESTRING",
  "POLYGON",
  "MULTIPOINT",
  "MULTILINESTRING",
  "MULTIPOLYGON",
  "GEOMETRYCOLLECTION",
];

/** How the members of a kind are written: with their names, and in parentheses of their own. */
const POINT = 1;
const LINESTRING = 2;
const POLYGON = 3;
const MULTIPOINT = 4;
const COLLECTION = 7;

export function toWkt(bytes: Uint8Array): string {
  try {
    const reader = new Wkb(bytes);
    const srid = reader.uint32();
    const text = reader.geometry();
    return srid === 0 ? text : `SRID=${srid};${text}`;
  } catch (error) {
    if (error instanceof RangeError) return bytes.toHex();
    throw error;
  }
}

class Wkb {
  readonly #view: DataView;
  #at = 0;
  #littleEndian = true;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  uint32(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, this.#littleEndian);
  }

  /** `POINT(1 2)`. Throws RangeError for what is no WKB. */
  geometry(): string {
    const kind = this.#header();
    const name = NAMES[kind];
    if (name === undefined) throw new RangeError("unknown kind of geometry");
    const body = this.#body(kind);
    return body === "" ? `${name} EMPTY` : `${name}(${body})`;
  }

  #header(): number {
    this.#littleEndian = this.#view.getUint8(this.#at++) === 1;
    return this.uint32();
  }

  #body(kind: number): string {
    switch (kind) {
      case POINT:
        return this.#point();
      case LINESTRING:
        return this.#list(() => this.#point());
      case POLYGON:
        return this.#list(() => `(${this.#list(() => this.#point())})`);
      case COLLECTION:
        return this.#list(() => this.geometry());
      default:
        return this.#list(() => {
          const member = this.#body(this.#header());
          return kind === MULTIPOINT ? member : `(${member})`;
        });
    }
  }

  #point(): string {
    this.#at += 16;
    const x = this.#view.getFloat64(this.#at - 16, this.#littleEndian);
    const y = this.#view.getFloat64(this.#at - 8, this.#littleEndian);
    return `${x} ${y}`.replaceAll("e+", "e");
  }

  #list(member: () => string): string {
    return Array.from({ length: this.uint32() }, member).join(",");
  }
}
