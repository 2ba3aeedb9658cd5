/**
 * The parser library (datafusion-sqlparser-rs as WebAssembly), loaded at the first statement: text in, tree out.
 * What the tree may hold is tree.ts's. The library recurses over chains of operators and does not survive an overflow
 * of its stack, so long ones are refused before.
 */
import { Fault } from "../../base/fault.ts";
import type { Statement } from "../statement.ts";
import { parserText } from "./parser_text.ts";

/** Operators on one level of brackets; the time that the library takes grows with the square. */
const CHAIN = 300;

const CHAINING = /^(?:AND|OR|XOR|UNION|EXCEPT|INTERSECT|MINUS|[-+*/%|&^])$/;

/** The tree of the only statement. Throws Fault: not_understood, too_large. */
export async function parse(statement: Statement): Promise<unknown> {
  refuseChains(statement);
  const { text, places } = parserText(statement);
  const { init, Parser, ParserError } = await import("@guanmingchiu/sqlparser-ts");
  await init();
  try {
    const trees: unknown = JSON.parse(Parser.parseToJson(text, "mysql"));
    if (Array.isArray(trees) && trees.length === 1) return trees[0];
    throw notUnderstood("");
  } catch (error) {
    if (!(error instanceof ParserError)) throw error;
    const column = Number(/Line: 1, Column: (\d+)$/.exec(error.message)?.[1] ?? 0);
    const place = places.findLast(({ at }) => at < column);
    throw notUnderstood(place === undefined || column === 0 ? "" : `at character ${place.from + 1}, `);
  }
}

function notUnderstood(place: string): Fault {
  return new Fault(
    "not_understood",
    `Cannot run the statement: ${place}its form is not known. Correct it, or write it more plainly.`,
  );
}

function refuseChains(statement: Statement): void {
  const counts = new Map<number, number>();
  for (const { text, within } of statement.tokens) {
    if (!CHAINING.test(text)) continue;
    const count = (counts.get(within) ?? 0) + 1;
    if (count > CHAIN) {
      throw new Fault(
        "too_large",
        `Cannot run the statement: it chains more than ${CHAIN} operators. Use IN, a list of values or a table.`,
      );
    }
    counts.set(within, count);
  }
}
