/** Geometries in binary, put together by hand, and the text they stand for. */
import assert from "node:assert/strict";
import { decodeWkb } from "../../src/db/wkb.ts";

const hex = (bytes: Uint8Array) => bytes.toHex();

/** Little-endian unless said otherwise: numbers with a fraction mark are doubles, others 32-bit integers. */
function bytes(parts: readonly (number | { double: number } | string)[], { big = false } = {}): string {
  return parts.map((part) => {
    if (typeof part === "string") return part;
    const view = new DataView(new ArrayBuffer(typeof part === "number" ? 4 : 8));
    if (typeof part === "number") view.setUint32(0, part, !big);
    else view.setFloat64(0, part.double, !big);
    return hex(new Uint8Array(view.buffer));
  }).join("");
}

const at = (...numbers: number[]) => numbers.map((double) => ({ double }));
const point = (x: number, y: number) => bytes(["01", 1, ...at(x, y)]);
const line = (...numbers: number[]) => bytes(["01", 2, numbers.length / 2, ...at(...numbers)]);
const ring = [4, ...at(0, 0, 4, 0, 4, 4, 0, 0)];
const polygon = bytes(["01", 3, 1, ...ring]);
const collect = (kind: number, members: readonly string[]) => bytes(["01", kind, members.length, ...members]);

const CASES: readonly (readonly [binary: string, text: string])[] = [
  ["0101000000000000000000F03F0000000000000040", "POINT(1 2)"],
  ["0101000020E6100000000000000000F03F0000000000000040", "SRID=4326;POINT(1 2)"],
  ["00000000013FF00000000000004000000000000000", "POINT(1 2)"],
  [bytes(["00", 0x20000001, 4326, ...at(-0.1, 1e21)], { big: true }), "SRID=4326;POINT(-0.1 1e+21)"],
  [bytes(["01", 0x80000001, ...at(1, 2, 3)]), "POINT Z (1 2 3)"],
  [bytes(["01", 0x40000001, ...at(1, 2, 3)]), "POINT M (1 2 3)"],
  [bytes(["01", 0xe0000001, 4326, ...at(1, 2, 3, 4)]), "SRID=4326;POINT ZM (1 2 3 4)"],
  [bytes(["01", 1001, ...at(1, 2, 3)]), "POINT Z (1 2 3)"],
  [bytes(["01", 3001, ...at(1, 2, 3, 4)]), "POINT ZM (1 2 3 4)"],
  [bytes(["01", 1, ...at(NaN, NaN)]), "POINT EMPTY"],
  [bytes(["01", 0x80000001, ...at(NaN, NaN, NaN)]), "POINT Z EMPTY"],
  [line(1, 2, 3, 4.5), "LINESTRING(1 2,3 4.5)"],
  [bytes(["01", 2, 0]), "LINESTRING EMPTY"],
  [polygon, "POLYGON((0 0,4 0,4 4,0 0))"],
  [bytes(["01", 3, 2, ...ring, ...ring]), "POLYGON((0 0,4 0,4 4,0 0),(0 0,4 0,4 4,0 0))"],
  [collect(4, [point(1, 2), point(3, 4)]), "MULTIPOINT((1 2),(3 4))"],
  [collect(5, [line(1, 2, 3, 4), line(5, 6, 7, 8)]), "MULTILINESTRING((1 2,3 4),(5 6,7 8))"],
  [collect(6, [polygon]), "MULTIPOLYGON(((0 0,4 0,4 4,0 0)))"],
  [
    collect(7, [point(1, 2), collect(7, [line(1, 2, 3, 4)])]),
    "GEOMETRYCOLLECTION(POINT(1 2),GEOMETRYCOLLECTION(LINESTRING(1 2,3 4)))",
  ],
  [collect(7, []), "GEOMETRYCOLLECTION EMPTY"],
  [bytes(["01", 8, 3, ...at(0, 0, 1, 1, 2, 0)]), "CIRCULARSTRING(0 0,1 1,2 0)"],
  [
    collect(9, [line(0, 0, 1, 1), bytes(["01", 8, 2, ...at(1, 1, 2, 0)])]),
    "COMPOUNDCURVE((0 0,1 1),CIRCULARSTRING(1 1,2 0))",
  ],
  [collect(16, [bytes(["01", 17, 1, ...ring])]), "TIN(((0 0,4 0,4 4,0 0)))"],
];

Deno.test("geometries in binary become well-known text", () => {
  for (const [binary, text] of CASES) {
    assert.equal(decodeWkb(binary), text);
    assert.equal(decodeWkb(Uint8Array.fromHex(binary)), text);
  }
});

Deno.test("what is no geometry to its end is none", () => {
  const nested = Array.from({ length: 40 }).reduce<string>((inner) => collect(7, [inner]), point(1, 2));
  const broken = [
    "",
    "01",
    "0101",
    "not hex",
    `${point(1, 2)}00`,
    point(1, 2).slice(0, -2),
    bytes(["01", 99]),
    nested,
  ];
  for (const binary of [...broken, bytes(["01", 2, 0xffff_ffff, ...at(1, 2)])]) {
    assert.equal(decodeWkb(binary), undefined, binary);
  }
});
