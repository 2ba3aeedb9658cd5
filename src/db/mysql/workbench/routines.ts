/**
 * Calls and first texts of MySQL's routines.
 */
import { qualified } from "../../standard_definitions.ts";
import type { RoutineArgument, RoutineSql } from "../../workbench.ts";
import { quoteName, quoteText } from "../sql_text.ts";

export const ROUTINES: RoutineSql = {
  call: (routine, { kind, args }) => {
    const name = qualified(routine, quoteName);
    if (kind.toUpperCase() !== "PROCEDURE") {
      return `SELECT ${name}(${
        args.filter(({ mode }) => mode.toUpperCase() !== "OUT").map(valueOf).join(", ")
      })`;
    }
    // what comes out stands in variables of the session
    const variable = ({ name }: RoutineArgument) => `@${quoteName(name)}`;
    const outs = args.filter(({ mode }) => mode.toUpperCase() !== "IN");
    const sets = outs.filter(({ mode }) => mode.toUpperCase() === "INOUT")
      .map((arg) => `SET ${variable(arg)} = ${valueOf(arg)}`);
    const call = `CALL ${name}(${
      args.map((arg) => arg.mode.toUpperCase() === "IN" ? valueOf(arg) : variable(arg)).join(", ")
    })`;
    const shown = outs.length === 0
      ? []
      : [`SELECT ${outs.map((arg) => `${variable(arg)} AS ${quoteName(arg.name)}`).join(", ")}`];
    return [...sets, call, ...shown].join(";\n");
  },
  template: (kind, schema) => {
    const name = qualified({ schema, table: "new_routine" }, quoteName);
    return kind.toUpperCase() === "PROCEDURE"
      ? `CREATE PROCEDURE ${name}(IN value INT)\nBEGIN\n  SELECT value;\nEND`
      : `CREATE FUNCTION ${name}(value INT) RETURNS INT DETERMINISTIC\nBEGIN\n  RETURN value;\nEND`;
  },
};

function valueOf({ value, is_raw }: RoutineArgument): string {
  if (value === null) return "NULL";
  return is_raw ? value : quoteText(value);
}
