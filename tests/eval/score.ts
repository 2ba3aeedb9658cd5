/**
 * Whether an answer is the known one: by the rows of a statement, or by what the text says.
 */
import type { EvalQuestion } from "../../fixtures/eval/question.ts";

type Expected = EvalQuestion["rows"];

/** As many rows as expected, each with the expected values among its own, in any order. */
export function rowsMatch(rows: readonly (readonly unknown[])[], expected: Expected): boolean {
  if (rows.length !== expected.length) return false;
  const left = [...rows];
  return expected.every((wanted) => {
    const at = left.findIndex((row) => holds(row, wanted));
    return at >= 0 && left.splice(at, 1).length === 1;
  });
}

function holds(row: readonly unknown[], wanted: readonly (string | number)[]): boolean {
  const left = [...row];
  return wanted.every((value) => {
    const at = left.findIndex((cell) => isSame(cell, value));
    return at >= 0 && left.splice(at, 1).length === 1;
  });
}

/** Amounts to the cent; a day may have a time of midnight, texts any case. */
function isSame(cell: unknown, value: string | number): boolean {
  if (typeof value === "number") return cell !== null && cell !== "" && isNear(Number(cell), value);
  const [said, wanted] = [String(cell).trim().toLowerCase(), value.toLowerCase()];
  return said === wanted || said.replace(/[ t]00:00:00(\.0+)?$/, "") === wanted;
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.006;
}

/** Every expected value is in the text, however thousands are marked. */
export function textHolds(text: string, expected: Expected): boolean {
  const plain = text.replaceAll(/(?<=\d)[,\u00a0\u202f' _](?=\d{3}(?!\d))/g, "").toLowerCase();
  const numbers = Array.from(plain.matchAll(/-?\d+(?:\.\d+)?/g), ([number]) => Number(number));
  return expected.flat().every((value) =>
    typeof value === "number"
      ? numbers.some((number) => isNear(number, value))
      : plain.includes(value.toLowerCase())
  );
}
